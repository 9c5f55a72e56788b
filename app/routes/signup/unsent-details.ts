import { useLayoutEffect, useRef, type RefObject } from "react";

import { textOf } from "../../forms/text-of.ts";

/**
 * What was typed into the details and not sent, kept in this page's memory and nowhere else: from a look at another step or at
 * log-in one comes back to it. Never a password. Only a browser ever writes it.
 */
let unsent: Record<string, string> | undefined;

const kept = ["accountType", "code", "firstName", "lastName", "email"];

/** For the form's `ref`, and what was typed when it was last left. */
export function useUnsentDetails(): { form: RefObject<HTMLFormElement | null>; typed: typeof unsent } {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const element = form.current;
    return () => {
      if (!element) return;
      const fields = new FormData(element);
      unsent = Object.fromEntries(kept.map((name) => [name, textOf(fields, name)]));
    };
  }, []);
  return { form, typed: unsent };
}
