import { useId, useLayoutEffect, useRef, useState, type FocusEvent, type FormEvent, type KeyboardEvent } from "react";
import { Form, useLocation, useNavigation } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import { TYPED_MAX_LENGTH } from "../../server/content/items/item-facts.ts";
import { Icon } from "./icons.tsx";
import { focusNext } from "../frame/focus.ts";
import { href } from "../frame/paths.ts";
import type { Suggestion } from "../../server/content/search/suggestions.ts";
import type { MakeOffer, Offer } from "./search-offers.tsx";
import buttons from "./button.module.css";
import styles from "./search-box.module.css";

type SearchBoxProps = {
  term?: string;
  /** Shows the topic's results and empties the box (docs/behaviour.md, Search). */
  onPick: (topic: string) => void;
};

export function SearchBox({ term = "", onPick }: SearchBoxProps) {
  const isHydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const { input, write, noteTyping } = useTerm(term);
  const combobox = useSuggestions(({ label, path }) => {
    write(path === undefined ? label : "");
    if (path !== undefined) return window.location.assign(href(`/${path}`));
    form.current?.requestSubmit();
    write("");
    onPick(label);
  });

  const { suggestions, help, listId, active, optionId, pick } = combobox;

  function onInput({ currentTarget }: FormEvent<HTMLInputElement>): void {
    noteTyping();
    void combobox.open(currentTarget);
  }

  function onSubmit(event: FormEvent): void {
    focusNext(undefined);
    if (input.current?.value.trim() === "") event.preventDefault();
    combobox.close();
  }

  // The numbers of help stay while one moves through them.
  function onBlur({ currentTarget, relatedTarget }: FocusEvent): void {
    if (!help || !currentTarget.contains(relatedTarget)) combobox.close();
    focusNext(undefined);
  }

  return (
    <Form ref={form} role="search" action="/" className={styles.search} onSubmit={onSubmit} onBlur={onBlur}>
      <input
        ref={input}
        name="q"
        type="search"
        aria-label="Search"
        placeholder="Search"
        autoComplete="off"
        enterKeyHint="search"
        maxLength={TYPED_MAX_LENGTH}
        defaultValue={term}
        onFocus={(event) => void combobox.open(event.currentTarget)}
        onInput={onInput}
        onKeyDown={combobox.onKeyDown}
        {...(isHydrated && combobox.inputProps)}
      />
      <button className={buttons.round}>
        <Icon name="search" />
        <span className="visually-hidden">Search</span>
      </button>
      {isHydrated && (
        <Suggestions
          id={listId}
          suggestions={suggestions}
          help={help}
          active={active}
          optionId={optionId}
          onPick={pick}
        />
      )}
    </Form>
  );
}

/**
 * The input shows the term of each new page, but text that is typed while the page loads stays, with the focus.
 * `noteTyping` takes note of that.
 */
function useTerm(term: string) {
  const { key } = useLocation();
  const next = useNavigation().location?.key;
  const input = useRef<HTMLInputElement>(null);
  const shown = useRef(term);
  const typedFor = useRef<string>(undefined);
  useLayoutEffect(() => {
    const isTypedFor = typedFor.current === key;
    typedFor.current = undefined;
    if (term === shown.current) return;
    shown.current = term;
    if (!isTypedFor && input.current) input.current.value = term;
  }, [term, key]);

  function write(text: string): void {
    if (input.current) input.current.value = text;
  }

  function noteTyping(): void {
    typedFor.current = next;
    if (next !== undefined) focusNext(BOX);
  }
  return { input, write, noteTyping };
}

const BOX = '[role="search"] [name="q"]';

/**
 * An editable combobox with a list of suggestions (WAI-ARIA Authoring Practices): the offers, the active one, and the
 * input's attributes. `onPick` gets the chosen one. Words of despair get only numbers to call.
 */
function useSuggestions(onPick: (suggestion: Suggestion) => void) {
  const offers = useRef<Promise<MakeOffer>>(undefined);
  const opened = useRef(0);
  const [{ suggestions, help }, setOffer] = useState<Offer>(nothing);
  const [active, setActive] = useState(-1);
  const listId = useId();
  const optionId = (index: number) => `${listId}-${index}`;

  function close(): void {
    opened.current += 1;
    setOffer(nothing);
    setActive(-1);
  }

  /** Shows the offers if the box still has the focus and the text. */
  async function open(input: HTMLInputElement): Promise<void> {
    const number = (opened.current += 1);
    offers.current ??= import("./search-offers.tsx").then(({ loadOffers }) => loadOffers());
    const makeOffer = await offers.current;
    if (number !== opened.current || document.activeElement !== input) return;
    setActive(-1);
    makeOffer(input.value, (offer) => {
      if (number === opened.current) setOffer(offer);
    });
  }

  function pick(suggestion: Suggestion): void {
    close();
    onPick(suggestion);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (isOfInputMethod(event.nativeEvent)) return;
    const hasSome = suggestions.length > 0;
    if (!hasSome && !help) {
      if (event.key === "ArrowDown") void open(event.currentTarget);
      return;
    }
    const to = hasSome ? findMove(event.key, active, suggestions.length - 1) : undefined;
    const suggestion = suggestions[active];
    if (to !== undefined) setActive(to);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && suggestion) pick(suggestion);
    else return;
    event.preventDefault();
  }

  const inputProps = {
    role: "combobox",
    "aria-autocomplete": "list" as const,
    "aria-expanded": suggestions.length > 0,
    "aria-controls": listId,
    "aria-activedescendant": active >= 0 ? optionId(active) : undefined,
  };
  return { suggestions, help, active, listId, optionId, inputProps, open, close, pick, onKeyDown };
}

/**
 * Whether an input method uses the key for its candidates. Safari ends the composition before it sends Enter, which
 * only the key's number shows (UI Events, section 7.3.1).
 */
function isOfInputMethod({ isComposing, keyCode }: globalThis.KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}

/** `last`: the last place; Home and End move the caret until the list is entered. */
function findMove(key: string, active: number, last: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowDown: active === last ? 0 : active + 1,
    ArrowUp: active <= 0 ? last : active - 1,
    ...(active >= 0 && { Home: 0, End: last }),
  };
  return moves[key];
}

const nothing: Offer = { suggestions: [] };

type SuggestionsProps = {
  id: string;
  suggestions: Suggestion[];
  help: Offer["help"];
  active: number;
  optionId: (index: number) => string;
  onPick: (suggestion: Suggestion) => void;
};

function Suggestions({ id, suggestions, help, active, optionId, onPick }: SuggestionsProps) {
  const count = suggestions.length;
  return (
    <>
      <div id={id} role="listbox" aria-label="Suggestions" className={styles.suggestions} hidden={count === 0}>
        {suggestions.map((suggestion, index) => (
          // The input handles the keys: an option of a combobox never has the focus.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={suggestion.path ?? suggestion.label}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            ref={index === active ? scrollIntoView : undefined}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(suggestion)}
          >
            {suggestion.label}
          </div>
        ))}
      </div>
      {help?.panel}
      <p aria-live="polite" className="visually-hidden">
        {help?.spoken ?? (count > 0 && `${count} ${count === 1 ? "suggestion" : "suggestions"}`)}
      </p>
    </>
  );
}

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
