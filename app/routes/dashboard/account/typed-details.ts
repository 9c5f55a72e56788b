import { useLayoutEffect, useRef, type RefObject } from "react";

import { textOf } from "../../../forms/text-of.ts";
import type { AccountScreen } from "./account-screen.ts";

/** The fields of the details that may be kept: a password and a file never are. */
const kept = ["firstName", "lastName", "email"] as const;

export type TypedDetails = Partial<Record<(typeof kept)[number], string>>;

/**
 * What a member typed and did not save, kept in this page's memory and nowhere else: a slip of the Escape key costs nobody their words.
 * Fields that were left alone are not among it: what became of them elsewhere meanwhile would be put back in silence.
 */
let unsaved: { whose: number; typed: TypedDetails } | undefined;

type Place = {
  /** For what holds the form. */
  ref: RefObject<HTMLDivElement | null>;
  typed: TypedDetails | undefined;
  /** To be called whenever something was typed: the form is made anew when what is known of the member changes. */
  remember: () => void;
  forget: () => void;
};

/** `saved` is the answer to a form that was saved, if there was one: nothing that was typed before counts any more. */
export function useTypedDetails(account: AccountScreen, saved: object | undefined): Place {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(account);
  useLayoutEffect(() => {
    latest.current = account;
  }, [account]);
  useLayoutEffect(() => {
    if (saved) forget();
  }, [saved]);
  useLayoutEffect(() => {
    const element = ref.current;
    // A form may be given with words in it: by an answer, or by who was logged out over it.
    rememberIn(element, latest.current);
    return () => rememberIn(element, latest.current);
  }, []);
  // Somebody else may have logged in on the same page; and an address may change.
  const typed = !saved && unsaved?.whose === account.memberId ? unsaved.typed : undefined;
  return { ref, typed, remember: () => rememberIn(ref.current, account), forget };
}

function rememberIn(element: HTMLElement | null, { memberId, profile }: AccountScreen): void {
  const form = element?.querySelector("form");
  const typed = form ? pickTyped(new FormData(form), profile) : {};
  unsaved = Object.keys(typed).length > 0 ? { whose: memberId, typed } : undefined;
}

function forget(): void {
  unsaved = undefined;
}

/** The fields that are not as we know them. */
function pickTyped(fields: FormData, known: TypedDetails): TypedDetails {
  const typed = kept.map((name) => [name, textOf(fields, name)] as const);
  return Object.fromEntries(typed.filter(([name, text]) => text !== known[name]));
}
