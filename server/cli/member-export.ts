import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";

import { sayError } from "./command-log.ts";
import { FaultError, refuse, type Command } from "./command.ts";
import { printJson } from "./print-json.ts";
import { MEMBER_WORD, nameOf, withMember } from "./with-member.ts";

export const exportCommand: Command = {
  summary: "write everything that is held about a member as one JSON",
  words: [MEMBER_WORD],
  options: { out: { value: "FILE", help: "a new file to write it to; without one it is printed" } },
  example: "member export ada@example.org --out ada.json",
  run: withMember(async ({ rooms, operator, member }, input) => {
    const file = input.value("out");
    if (file !== undefined && existsSync(file)) return refuse(`${file} is there already: name a new file.`);
    const records = await rooms.personalData.gather({ memberId: member.id, email: member.email });
    await rooms.audit.record({ operator, action: "member export", memberId: member.id, facts: {} });
    if (file === undefined) return { ok: true, text: printJson(records), json: records };
    await writeNew(file, `${printJson(records)}\n`);
    const json = { memberId: member.id, email: member.email, file };
    return { ok: true, text: `What is held about ${nameOf(member)} is in ${file}.`, json };
  }),
};

/** For the eyes of whoever runs the command. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw new FaultError(`The file could not be written: ${sayError(error)}`, { cause: error });
  }
}
