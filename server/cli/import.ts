import { existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

import { parseDay } from "../operations/acts/fields.ts";
import { BYTE_ORDER_MARK, toCsvLine } from "../platform/csv.ts";
import { errorText } from "../platform/faults.ts";
import { listPlans } from "../money/membership/plans.ts";
import type { MemberFile } from "../operations/moving/member-file.ts";
import { type Defaults, findForeignPlan } from "../operations/moving/member-line.ts";
import { type CommandContext, withServices } from "./command-context.ts";
import {
  type Answer,
  type Command,
  FaultError,
  type Group,
  type Input,
  refuse,
  type Terminal,
  UsageError,
} from "./command.ts";
import { importOptions, importWithReport, readImportOptions, toAnswer } from "./import-report.ts";
import { importShop } from "./import-shop.ts";

const members: Command = {
  summary: "import the members of a CSV file, with their passwords",
  words: ["FILE"],
  options: {
    ...importOptions,
    refused: {
      value: "FILE",
      help: "a new file for refused lines, each with its reason; otherwise it goes beside FILE",
    },
    plan: {
      value: "PLAN",
      help: `the plan for lines that name none: ${listPlans()
        .map(({ label }) => label)
        .join(", ")}`,
    },
    end: { value: "DAY", help: "the last day for lines that name none, such as 2027-01-31" },
  },
  example: "import members members.csv --dry-run",
  note: "docs/moving.md lists the columns. Members are matched by email address, so you can import a file again, even after a fault: nothing happens twice.",
  async run(input, terminal) {
    const [path = ""] = input.words;
    const refusedPath = input.value("refused") ?? `${path.replace(/\.csv$/i, "")}-refused.csv`;
    const defaults = readDefaults(input);
    if (existsSync(refusedPath)) return refuse(`${refusedPath} already exists. Name a new file with --refused.`);
    const source = await openSource(path);
    try {
      return await withServices(
        terminal,
        async (ctx) => {
          const { MemberFileError, readMemberFile } = await import("../operations/moving/moving.ts");
          const refusals = new RefusalFile(refusedPath);
          try {
            const file = await readMemberFile(source.createReadStream(), defaults);
            return await importLines(file, { ...ctx, input, terminal, refusals });
          } catch (error) {
            if (!(error instanceof MemberFileError)) throw error;
            return refuse(
              `${path}: ${error.message} Everything before it was imported. Correct the file, then import it again.`,
            );
          } finally {
            await refusals.close();
          }
        },
        { hasContentAtOnce: true },
      );
    } finally {
      await source.close();
    }
  },
};

function readDefaults(input: Input): Defaults {
  const [planText, endText] = [input.value("plan"), input.value("end")];
  const plan = planText === undefined ? undefined : findForeignPlan(planText);
  if (planText !== undefined && !plan) throw new UsageError(`--plan: there is no plan “${planText}”.`);
  const endsAt = endText === undefined ? undefined : parseDay(endText, "last");
  if (endText !== undefined && !endsAt)
    throw new UsageError(`--end must be a day such as 2027-01-31, not “${endText}”.`);
  return { plan, endsAt };
}

async function openSource(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    throw new FaultError(`We can't read the file: ${errorText(error)}`, { cause: error });
  }
}

/** Refused lines with a reason behind them. Made with the first of them, and readable by its owner alone. */
class RefusalFile {
  private handle: FileHandle | undefined;
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
  async add(headings: string[], cells: string[], reason: string): Promise<void> {
    if (!this.handle) {
      this.handle = await open(this.path, "wx", 0o600);
      await this.handle.appendFile(BYTE_ORDER_MARK + toCsvLine([...headings, "reason"]));
    }
    // Lines get as many cells as the heading, so that the reason is in its column.
    const whole = headings.map((_, place) => cells[place] ?? "");
    await this.handle.appendFile(toCsvLine([...whole, reason]));
  }
  async close(): Promise<void> {
    await this.handle?.close();
  }
}

type ImportContext = CommandContext & { input: Input; terminal: Terminal };

async function importLines(
  { heading, headings, lines }: MemberFile,
  { refusals, ...ctx }: ImportContext & { refusals: RefusalFile },
): Promise<Answer> {
  const known = headings.filter((each) => each.trim().toLowerCase() !== "reason");
  if (heading.ignored.some((each) => each !== "reason") && !ctx.input.has("json")) {
    ctx.terminal.print(`Columns ignored: ${heading.ignored.join(", ")}`);
  }
  const counts = await importWithReport(
    lines,
    { ...ctx, options: readImportOptions(ctx.input), what: "Line" },
    async (line, result) => {
      if (result.outcome === "refused") await refusals.add(known, line.cells, result.reason);
    },
  );
  const file = counts.refused > 0 ? refusals.path : undefined;
  return toAnswer(counts, { isRehearsal: ctx.input.has("dry-run"), refusedFile: file });
}

export const importCommands: Group = {
  summary: "import members from another product",
  commands: { members, woocommerce: importShop },
};
