import { useLayoutEffect, useRef, type RefObject } from "react";

import type { ProfileView } from "../../../../server/accounts/profile.ts";
import { textOf } from "../../../forms/text-of.ts";

/** The fields of the details that may be kept: a password and a file never are. */
const kept = ["firstName", "lastName", "email"] as const;

export type TypedDetails = Partial<Record<(typeof kept)[number], string>>;

/** What was typed and not saved, kept in this page's memory and nowhere else: a slip of the Escape key costs nobody their words. */
let unsaved: TypedDetails | undefined;

type Place = { ref: RefObject<HTMLDivElement | null>; typed: TypedDetails | undefined; forget: () => void };

/** `ref` is for what holds the form. */
export function useTypedDetails(profile: ProfileView): Place {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(profile);
  useLayoutEffect(() => {
    latest.current = profile;
  }, [profile]);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      const form = element?.querySelector("form");
      const typed = form ? pickKept(new FormData(form)) : undefined;
      unsaved = typed && kept.some((name) => typed[name] !== latest.current[name]) ? typed : undefined;
    };
  }, []);
  return { ref, typed: unsaved, forget: () => (unsaved = undefined) };
}

function pickKept(fields: FormData): TypedDetails {
  return Object.fromEntries(kept.map((name) => [name, textOf(fields, name)]));
}
