import type { Context } from "../../context.ts";
import { hasChanged } from "../../platform/database/changes.ts";
import type { Queries } from "../../platform/database/database.ts";
import { cleanText } from "../../platform/text.ts";

/** Operators' notes about a member or a company. Members read theirs in their export. */
export type Notes = ReturnType<typeof createNotes>;

export type NoteSubject = { memberId: number } | { companyId: number };

export type Note = {
  id: number;
  text: string;
  operator: string;
  notedAt: Date;
};

export type NewNote = { about: NoteSubject; text: string; operator: string };

export function createNotes({ db, clock }: Context) {
  return {
    /** The subject must exist. The cleaned text must not be empty. */
    async add({ about, text, operator }: NewNote, trx: Queries): Promise<Note> {
      const note = { text: cleanText(text.replaceAll(/\r\n?/g, "\n")), operator, notedAt: clock() };
      const row = trx.insertInto("notes").values({ ...about, ...note });
      return { ...note, ...(await row.returning("id").executeTakeFirstOrThrow()) };
    },

    /** The newest first. */
    async listFor(about: NoteSubject): Promise<Note[]> {
      const rows = await whereAbout(db.selectFrom("notes").selectAll(), about).orderBy("id", "desc").execute();
      return rows.map(({ id, text, operator, notedAt }) => ({ id, text, operator, notedAt }));
    },

    /** To another account of the same person. */
    async move({ from, to }: { from: number; to: number }, trx: Queries): Promise<void> {
      await trx.updateTable("notes").set({ memberId: to }).where("memberId", "=", from).execute();
    },

    /** Only a note about this subject; returns whether it was removed. */
    remove: ({ id, about }: { id: number; about: NoteSubject }, trx: Queries) =>
      hasChanged(whereAbout(trx.deleteFrom("notes").where("id", "=", id), about)),
  };
}

type Conditional<Query> = { where(column: "memberId" | "companyId", operator: "=", id: number): Query };

function whereAbout<Query extends Conditional<Query>>(query: Query, about: NoteSubject): Query {
  return "memberId" in about
    ? query.where("memberId", "=", about.memberId)
    : query.where("companyId", "=", about.companyId);
}
