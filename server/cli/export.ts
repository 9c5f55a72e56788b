import { open } from "node:fs/promises";

import { BYTE_ORDER_MARK, toCsvLine } from "../platform/csv.ts";
import { errorText } from "../platform/faults.ts";
import { withServices } from "./command-context.ts";
import { type Command, type Group, refuse } from "./command.ts";

const members: Command = {
  summary: "write all members to a new CSV file, which you can import again",
  words: ["FILE"],
  options: { passwords: { help: "include the hashes of their passwords, so that they can keep them elsewhere" } },
  example: "export members members.csv",
  note: "There's a line for each term. The file holds personal data, and only its owner can read it. For everything about one member, use `member export`.",
  run: (input, terminal) =>
    withServices(terminal, async ({ services, operator }) => {
      const [path = ""] = input.words;
      const passwords = input.has("passwords");
      const { exportHeading } = await import("../operations/moving/export.ts");
      const file = await open(path, "wx", 0o600).catch((error: unknown) => errorText(error));
      if (typeof file === "string") return refuse(`We can't make the file: ${file}`);
      let lines = 0;
      try {
        await file.appendFile(BYTE_ORDER_MARK + toCsvLine(exportHeading));
        for await (const cells of services.moving.exportMembers({ hasHashes: passwords })) {
          await file.appendFile(toCsvLine(cells));
          lines += 1;
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await services.audit.record({
        operator,
        action: "members export",
        facts: { lines, passwords },
      });
      return {
        ok: true,
        text: `${lines} ${lines === 1 ? "line is" : "lines are"} in ${path}.`,
        json: { lines, file: path },
      };
    }),
};

export const exportCommands: Group = {
  summary: "take all members to another product",
  commands: { members },
};
