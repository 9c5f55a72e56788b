import { useLayoutEffect, useRef, type FormEvent, type RefObject } from "react";

import { textOf } from "../../../forms/text-of.ts";
import type { AccountScreen } from "./account-screen.ts";

/** The fields of the details that may be kept: a password and a file never are. */
const kept = ["firstName", "lastName", "email"] as const;

export type TypedDetails = Partial<Record<(typeof kept)[number], string>>;

/**
 * What a member typed and did not save, kept in this page's memory and nowhere else: a slip of the Escape key costs nobody their words.
 * Fields that were left alone are not among it: what became of them elsewhere meanwhile would be put back in silence.
 */
let unsaved: Unsaved | undefined;

type Unsaved = {
  whose: number;
  /** What is not as we know it. */
  typed: TypedDetails | undefined;
  /** What is not as it was sent last. */
  since: TypedDetails | undefined;
};

type Place = {
  /** For what holds the form. */
  ref: RefObject<HTMLDivElement | null>;
  typed: TypedDetails | undefined;
  /** To be called whenever something was typed: the form is made anew when what is known of the member changes. */
  remember: () => void;
  /** To be called when the form is sent: its fields stay open meanwhile, and what is typed into them then waits for the next save. */
  noteSent: (event: FormEvent<HTMLFormElement>) => void;
  forget: () => void;
};

/** `saved` is the answer to a form that was saved, if there was one: what was sent counts as typed no more. */
export function useTypedDetails(account: AccountScreen, saved: object | undefined): Place {
  const ref = useRef<HTMLDivElement>(null);
  const sent = useRef<TypedDetails>(undefined);
  const latest = useRef(account);
  useLayoutEffect(() => {
    latest.current = account;
    sent.current = undefined;
    // A form may be made with words in it: by an answer, or by who was logged out over it.
    rememberIn(ref.current, account);
  }, [account]);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => rememberIn(element, latest.current);
  }, []);

  const remember = () => rememberIn(ref.current, account, sent.current);
  function noteSent({ currentTarget }: FormEvent<HTMLFormElement>): void {
    // A second press sends nothing.
    if (currentTarget.ariaBusy === "true") return;
    sent.current = readKept(currentTarget);
    remember();
  }
  // Somebody else may have logged in on the same page; and an address may change.
  const own = unsaved?.whose === account.memberId ? unsaved : undefined;
  return { ref, typed: saved ? own?.since : own?.typed, remember, noteSent, forget };
}

function rememberIn(element: HTMLElement | null, { memberId, profile }: AccountScreen, sent?: TypedDetails): void {
  const form = element?.querySelector("form");
  const fields = form ? readKept(form) : profile;
  unsaved = { whose: memberId, typed: pickOther(fields, profile), since: pickOther(fields, sent ?? profile) };
}

function forget(): void {
  unsaved = undefined;
}

function readKept(form: HTMLFormElement): TypedDetails {
  const fields = new FormData(form);
  return Object.fromEntries(kept.map((name) => [name, textOf(fields, name)]));
}

function pickOther(fields: TypedDetails, known: TypedDetails): TypedDetails | undefined {
  const others = kept.filter((name) => fields[name] !== known[name]);
  return others.length > 0 ? Object.fromEntries(others.map((name) => [name, fields[name]])) : undefined;
}
