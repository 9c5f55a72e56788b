import { useId, useRef, useState, type KeyboardEvent } from "react";

/** Makes suggestions for what is typed; fetched when it is first needed. */
type Suggest = (typed: string) => string[];

/**
 * The state of an editable combobox with a list of topics (WAI-ARIA Authoring Practices): what is offered, which one the
 * arrow keys are at, and what the input must say of it. `onPick` gets the topic that is chosen.
 */
export function useTopicCombobox(onPick: (topic: string) => void) {
  const suggest = useRef<Suggest>(undefined);
  const [topics, setTopics] = useState<string[]>([]);
  const [active, setActive] = useState(-1);
  const listId = useId();
  const optionId = (index: number) => `${listId}-${index}`;

  function close(): void {
    setTopics([]);
    setActive(-1);
  }

  /** Offers what fits, once the topics are there, if the box still has the focus then. */
  async function open(input: HTMLInputElement): Promise<void> {
    suggest.current ??= (await import("./topic-suggestions.ts")).suggestTopic;
    if (document.activeElement !== input) return;
    setTopics(suggest.current(input.value));
    setActive(-1);
  }

  function pick(topic: string): void {
    close();
    onPick(topic);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const to = moveOf(event.key, active, topics.length - 1);
    const topic = topics[active];
    if (topics.length === 0) {
      if (event.key === "ArrowDown") void open(event.currentTarget);
      return;
    }
    const does = to !== undefined ? () => setActive(to) : event.key === "Escape" ? close : undefined;
    const picks = event.key === "Enter" && topic !== undefined ? () => pick(topic) : undefined;
    if (!does && !picks) return;
    event.preventDefault();
    (does ?? picks)?.();
  }

  const inputProps = {
    role: "combobox",
    "aria-autocomplete": "list" as const,
    "aria-expanded": topics.length > 0,
    "aria-controls": listId,
    "aria-activedescendant": active >= 0 ? optionId(active) : undefined,
  };
  return { topics, active, listId, optionId, inputProps, open, close, pick, onKeyDown };
}

/** Where a key leads in a list whose last place is `last`; Home and End move the caret until the list is entered. */
function moveOf(key: string, active: number, last: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowDown: active === last ? 0 : active + 1,
    ArrowUp: active <= 0 ? last : active - 1,
    ...(active >= 0 && { Home: 0, End: last }),
  };
  return moves[key];
}
