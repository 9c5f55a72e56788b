import type { OutboxEntry } from "../mail/outbox.ts";
import { refuse, type Command, type Group } from "./command.ts";
import { printInstant } from "./print-instant.ts";
import { printTable } from "./print-table.ts";
import { readChoice, readCount, readEmail, readId } from "./read-values.ts";
import { withRooms } from "./with-rooms.ts";

const DEFAULT_LIMIT = 50;

const list: Command = {
  summary: "list letters of the last ninety days, the newest first",
  options: {
    state: { value: "waiting|sent|failed", help: "only those; failed ones were given up" },
    to: { value: "ADDRESS", help: "only those to this address" },
    limit: { value: "N", help: `how many at most, ${DEFAULT_LIMIT} if not given` },
  },
  example: "mail list --state failed",
  run(input) {
    const state = readChoice(input, "state", ["waiting", "sent", "failed"]);
    const recipient = readEmail(input, "to");
    const limit = readCount(input, "limit", { min: 1, max: 1000 }) ?? DEFAULT_LIMIT;
    return withRooms(async ({ rooms }) => {
      const letters = await rooms.outbox.list({ state, recipient, limit });
      const rows = letters.map((letter) => [
        letter.id,
        letter.kind,
        letter.to,
        printInstant(letter.createdAt),
        printState(letter),
        letter.attempts,
        letter.lastError,
      ]);
      const columns = ["ID", "LETTER", "TO", "WRITTEN", "STATE", "TRIES", "LAST ERROR"];
      const text = printTable(columns, rows, { whenEmpty: "There are no such letters." });
      return { ok: true, text, json: { letters: letters.map(toJson) } };
    });
  },
};

const resend: Command = {
  summary: "send a letter again, or one that was given up",
  words: ["ID"],
  example: "mail resend 42",
  run(input) {
    const id = readId(input.words[0], "letter");
    return withRooms(async ({ rooms, operator }) => {
      const letter = await rooms.outbox.find(id);
      const result = letter ? await rooms.outbox.resend(id) : "unknown";
      if (!letter || result === "unknown") return refuse(`There is no letter ${id}.`);
      if (result === "gone") {
        return refuse(`Letter ${id} held a secret and is erased: whoever needs it asks for a new one on the site.`);
      }
      const { memberId, kind, to } = letter;
      await rooms.audit.record({ operator, action: "mail resend", memberId, facts: { letter: id } });
      const text = `Letter ${id} (${kind}) goes to ${to} as soon as the server sends its mail, within seconds if it runs.`;
      return { ok: true, text, json: { id, kind, to, memberId, state: "waiting" } };
    });
  },
};

export const mailCommands: Group = {
  summary: "letters, and what became of them",
  commands: { list, resend },
};

function printState({ state, attempts, sentAt, failedAt, dueAt }: OutboxEntry): string {
  if (state !== "waiting") return `${state} ${printInstant(sentAt ?? failedAt)}`;
  return attempts === 0 ? "waiting" : `tried again ${printInstant(dueAt)}`;
}

function toJson({
  id,
  kind,
  to,
  memberId,
  state,
  attempts,
  createdAt,
  dueAt,
  sentAt,
  failedAt,
  lastError,
}: OutboxEntry) {
  return { id, kind, to, memberId, state, attempts, createdAt, dueAt, sentAt, failedAt, lastError };
}
