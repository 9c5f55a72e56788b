import { useRef, type FormEvent } from "react";
import { Form } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import { TERM_MAX_LENGTH } from "../../server/content/rules.ts";
import { Icon } from "./icons.tsx";
import { useTopicCombobox } from "./use-topic-combobox.ts";
import buttons from "./button.module.css";
import styles from "./search-box.module.css";

type SearchBoxProps = {
  term?: string;
  /** A suggestion was picked: its results are asked for, and the box is empty again (spec, section 4). */
  onPick: (topic: string) => void;
};

/** The search box of every screen: a plain form, and where script runs a combobox over it. */
export function SearchBox({ term = "", onPick }: SearchBoxProps) {
  const isHydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const combobox = useTopicCombobox((topic) => {
    if (!form.current || !input.current) return;
    input.current.value = topic;
    form.current.requestSubmit();
    input.current.value = "";
    onPick(topic);
  });

  function onSubmit(event: FormEvent): void {
    if (input.current?.value.trim() === "") event.preventDefault();
    combobox.close();
  }

  const { topics, listId, active, optionId, pick } = combobox;
  return (
    <Form ref={form} role="search" action="/" className={styles.search} onSubmit={onSubmit}>
      <input
        ref={input}
        name="q"
        type="search"
        aria-label="Search"
        placeholder="Search"
        autoComplete="off"
        enterKeyHint="search"
        maxLength={TERM_MAX_LENGTH}
        defaultValue={term}
        onFocus={(event) => void combobox.open(event.currentTarget)}
        onInput={(event) => void combobox.open(event.currentTarget)}
        onBlur={combobox.close}
        onKeyDown={combobox.onKeyDown}
        {...(isHydrated && combobox.inputProps)}
      />
      <button className={buttons.round}>
        <Icon name="search" />
        <span className="visually-hidden">Search</span>
      </button>
      {isHydrated && <Suggestions id={listId} topics={topics} active={active} optionId={optionId} onPick={pick} />}
    </Form>
  );
}

type SuggestionsProps = {
  id: string;
  topics: string[];
  active: number;
  optionId: (index: number) => string;
  onPick: (topic: string) => void;
};

/** The list under the box, and how many it has, said aloud. */
function Suggestions({ id, topics, active, optionId, onPick }: SuggestionsProps) {
  const count = topics.length;
  return (
    <>
      <div id={id} role="listbox" aria-label="Suggestions" className={styles.suggestions} hidden={count === 0}>
        {topics.map((topic, index) => (
          // The keyboard's way here is the input's: an option of a combobox is never focused itself.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={topic}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            ref={index === active ? scrollIntoView : undefined}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(topic)}
          >
            {topic}
          </div>
        ))}
      </div>
      <p aria-live="polite" className="visually-hidden">
        {count > 0 && `${count} ${count === 1 ? "suggestion" : "suggestions"}`}
      </p>
    </>
  );
}

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
