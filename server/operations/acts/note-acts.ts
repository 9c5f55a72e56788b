import type { NoteSubject } from "../notes/notes.ts";
import { notes as table } from "../../refusals.ts";
import { cleanText } from "../../platform/text.ts";
import { type ActContext, type ActResult, defineAct, refuseAct } from "./act.ts";
import type { Field } from "./fields.ts";
import { toCount } from "../../platform/count.ts";
import { z } from "zod";

/** In characters: two pages of a letter. */
const NOTE_MAX_LENGTH = 4000;
const NOTE_LINES = 4;

const textField = {
  label: "Note",
  hint: "Plain text. The member can read it in their data export.",
  schema: z
    .string({ error: table["note-missing"] })
    .max(NOTE_MAX_LENGTH, table["note-long"])
    .refine((text) => cleanText(text) !== "", table["note-missing"]),
  value: "TEXT",
  lines: NOTE_LINES,
  maxLength: NOTE_MAX_LENGTH,
} satisfies Field<string>;

const ownReason = "A note";

const removal = {
  role: "support",
  title: "Remove the note of {when}",
  button: "Remove the note",
  pending: "Removing...",
} as const;

export const noteActs = {
  "member note": defineAct({
    subject: "member",
    isForClosed: true,
    fields: { text: textField },
    audit: "Left a note about the member",
    desk: { role: "support", title: "Leave a note", button: "Save the note", pending: "Saving...", ownReason },
    command: {
      summary: "leave a note about a member, for operators and the member's data export",
      example: 'member note ada@example.org --text "Rang about her receipt."',
      hasNoReason: true,
    },
    run: ({ text }, ctx) => addNote(text, { ...ctx, about: { memberId: ctx.subject.id } }),
  }),

  "member note-remove": defineAct({
    subject: "member",
    isForClosed: true,
    item: { words: ["NOTE"] },
    fields: {},
    audit: "Removed a note about the member",
    desk: removal,
    command: {
      summary: "remove a note about a member, by its number in `member show`",
      example: "member note-remove ada@example.org 12",
    },
    run: (_values, ctx) => removeNote({ ...ctx, about: { memberId: ctx.subject.id } }),
  }),

  "company note": defineAct({
    subject: "company",
    fields: { text: { ...textField, hint: "Plain text. The company doesn't see it." } },
    audit: "Left a note about a company",
    desk: { role: "support", title: "Leave a note", button: "Save the note", pending: "Saving...", ownReason },
    command: {
      summary: "leave a note about a company, for operators only",
      example: 'company note "Pillow Works" --text "Asked for 20 more seats in spring."',
      hasNoReason: true,
    },
    run: ({ text }, ctx) => addNote(text, { ...ctx, about: { companyId: ctx.subject.id } }),
  }),

  "company note-remove": defineAct({
    subject: "company",
    item: { words: ["NOTE"] },
    fields: {},
    audit: "Removed a note about a company",
    desk: removal,
    command: {
      summary: "remove a note about a company, by its number in `company show`",
      example: 'company note-remove "Pillow Works" 12',
    },
    run: (_values, ctx) => removeNote({ ...ctx, about: { companyId: ctx.subject.id } }),
  }),
};

type NoteContext = ActContext & { about: NoteSubject };

/** The audit log has the note's number, because its text may name a person. */
function addNote(text: string, { services, by, about, record }: NoteContext): Promise<ActResult> {
  return services.transact(async (trx) => {
    const { id, notedAt } = await services.notes.add({ about, text, operator: by.operator }, trx);
    await record(toLine(about, id), trx);
    return { ok: true, message: "Note saved.", json: { note: id, notedAt } };
  });
}

function removeNote({ services, about, item, record }: NoteContext): Promise<ActResult> {
  return services.transact(async (trx) => {
    const id = toCount(item);
    if (id === undefined || !(await services.notes.remove({ id, about }, trx))) return refuseAct(table["no-note"]);
    await record(toLine(about, id), trx);
    return { ok: true, message: "Note removed.", json: { removed: id } };
  });
}

function toLine(about: NoteSubject, note: number) {
  return "memberId" in about
    ? { memberId: about.memberId, facts: { note } }
    : { facts: { company: about.companyId, note } };
}
