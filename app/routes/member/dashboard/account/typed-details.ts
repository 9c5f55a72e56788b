import { type FormEvent, useEffectEvent, useLayoutEffect, useRef } from "react";

import { type ProfileFields, profileFieldNames } from "../../../../../server/members/accounts/profile-fields.ts";
import { readText } from "../../../../forms/read-text.ts";
import type { AccountScreen } from "./account-screen.ts";

export type TypedDetails = Partial<ProfileFields>;

/**
 * Unsaved text, in this page's memory only, so that Escape loses nothing. Untouched fields are left out: they would
 * silently undo a change from elsewhere.
 */
let unsaved: Unsaved | undefined;

type Unsaved = {
  memberId: number;
  /** Fields that differ from the saved details. */
  typed: TypedDetails | undefined;
  /** Fields that differ from what was last sent. */
  since: TypedDetails | undefined;
};

/** Cancel drops it. */
export function forgetTyped(): void {
  unsaved = undefined;
}

/** The typed text, and the `ref` around its form. `isSaved`: what was sent is no longer pending. */
export function useTypedDetails(account: AccountScreen, isSaved: boolean) {
  const ref = useRef<HTMLDivElement>(null);
  const sent = useRef<TypedDetails>(undefined);
  const latest = useRef(account);
  const writeLateTyping = useEffectEvent(() => writeInto(ref.current, findTyped(account, isSaved)));
  useLayoutEffect(() => {
    latest.current = account;
    sent.current = undefined;
    writeLateTyping();
    // A new form may have text already: from an answer, or from before the session ended.
    rememberIn(ref.current, account);
  }, [account]);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => rememberIn(element, latest.current);
  }, []);

  /** Call it after typing: a change of the saved details makes a new form. */
  const remember = () => rememberIn(ref.current, account, sent.current);
  /** Call it when the form is sent: later typing waits for the next save. */
  function noteSent({ currentTarget }: FormEvent<HTMLFormElement>): void {
    // A second press sends nothing.
    if (currentTarget.ariaBusy === "true") return;
    sent.current = readSaved(currentTarget);
    remember();
  }
  return { ref, typed: findTyped(account, isSaved), remember, noteSent };
}

function findTyped({ memberId }: AccountScreen, isSaved: boolean): TypedDetails | undefined {
  // Another member may log in on the same page, and an address may change.
  const own = unsaved?.memberId === memberId ? unsaved : undefined;
  return isSaved ? own?.since : own?.typed;
}

/** For text that came while React rendered a new form, which takes a slow phone a while. */
function writeInto(element: HTMLElement | null, typed: TypedDetails = {}): void {
  for (const [name, text] of Object.entries(typed)) {
    const field = element?.querySelector<HTMLInputElement>(`[name="${name}"]`);
    if (!field || toAscii(field.value) === toAscii(text)) continue;
    field.value = text;
    // Conform learns of it.
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function rememberIn(element: HTMLElement | null, { memberId, profile }: AccountScreen, sent?: TypedDetails): void {
  const form = element?.querySelector("form");
  const fields = form ? readSaved(form) : profile;
  unsaved = { memberId, typed: pickOther(fields, profile), since: pickOther(fields, sent ?? profile) };
}

function readSaved(form: HTMLFormElement): TypedDetails {
  const fields = new FormData(form);
  return Object.fromEntries(profileFieldNames.map((name) => [name, readText(fields, name)]));
}

function pickOther(fields: TypedDetails, known: TypedDetails): TypedDetails | undefined {
  const others = profileFieldNames.filter((name) => toAscii(fields[name]) !== toAscii(known[name]));
  return others.length > 0 ? Object.fromEntries(others.map((name) => [name, fields[name]])) : undefined;
}

/**
 * Chromium gives back the domain `müller.example` as `xn--mller-kva.example`; for comparison every address becomes
 * ASCII.
 */
export function toAscii(text = ""): string {
  const [, local = "", domain = ""] = /^(.*@)(.+)$/.exec(text) ?? [];
  try {
    // Browsers before 2024 have no `URL.parse`.
    return local + new URL(`http://${domain}`).hostname;
  } catch {
    return text;
  }
}
