/** What a check has found, in one line. `note`: nothing is broken, but somebody should know. */
export type Finding = { part: string; state: "ok" | "note" | "wrong"; says: string };

export function ok(part: string, says: string): Finding {
  return { part, state: "ok", says };
}

export function note(part: string, says: string): Finding {
  return { part, state: "note", says };
}

export function wrong(part: string, says: string): Finding {
  return { part, state: "wrong", says };
}
