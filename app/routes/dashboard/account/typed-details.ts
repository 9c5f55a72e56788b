import { useLayoutEffect, useRef, type RefObject } from "react";

import type { ProfileView } from "../../../../server/accounts/profile.ts";
import { textOf } from "../../../forms/text-of.ts";

/** The fields of the details that may be kept: a password and a file never are. */
const kept = ["firstName", "lastName", "email"] as const;

export type TypedDetails = Partial<Record<(typeof kept)[number], string>>;

/** What a member typed and did not save, kept in this page's memory and nowhere else: a slip of the Escape key costs nobody their words. */
let unsaved: { whose: string; typed: TypedDetails } | undefined;

type Place = {
  /** For what holds the form. */
  ref: RefObject<HTMLDivElement | null>;
  typed: TypedDetails | undefined;
  /** To be called whenever something was typed: the form is made anew when what is known of the member changes. */
  remember: () => void;
  forget: () => void;
};

/** `saved` is the answer to a form that was saved, if there was one: nothing that was typed before counts any more. */
export function useTypedDetails(profile: ProfileView, saved: object | undefined): Place {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(profile);
  useLayoutEffect(() => {
    latest.current = profile;
  }, [profile]);
  useLayoutEffect(() => {
    if (saved) forget();
  }, [saved]);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => rememberIn(element, latest.current);
  }, []);
  // Somebody else may have logged in on the same page.
  const typed = !saved && unsaved?.whose === profile.email ? unsaved.typed : undefined;
  return { ref, typed, remember: () => rememberIn(ref.current, profile), forget };
}

function rememberIn(element: HTMLElement | null, profile: ProfileView): void {
  const form = element?.querySelector("form");
  const typed = form ? pickKept(new FormData(form)) : undefined;
  const isPending = typed && kept.some((name) => typed[name] !== profile[name]);
  unsaved = isPending ? { whose: profile.email, typed } : undefined;
}

function forget(): void {
  unsaved = undefined;
}

function pickKept(fields: FormData): TypedDetails {
  return Object.fromEntries(kept.map((name) => [name, textOf(fields, name)]));
}
