import {
  type Arriving,
  importAll,
  type ImportCounts,
  type ImportOptions,
  type ImportResult,
} from "../operations/moving/moving.ts";
import type { CommandContext } from "./command-context.ts";
import type { Answer, Input, Terminal } from "./command.ts";
import { printFacts } from "../operations/acts/print.ts";

export const importOptions = {
  "dry-run": { help: "show line by line what would happen, and change nothing" },
  mail: {
    help: "email each imported member once: where to log in now, and when their membership ends",
  },
  "skip-unknown": { help: "leave out favourites that aren't items here, rather than refuse the member" },
};

type ReportContext = CommandContext & { input: Input; terminal: Terminal; options: ImportOptions; what: string };

const LINES_A_REPORT = 10_000;

/** Imports members, reports each on request, and writes an audit line, also after a fault. */
export async function importWithReport<Each extends Arriving>(
  arriving: AsyncIterable<Each> | Iterable<Each>,
  { services, operator, input, terminal, options, what }: ReportContext,
  report: (each: Each, result: ImportResult) => Promise<void> | void = () => undefined,
): Promise<ImportCounts> {
  const isQuiet = input.has("json");
  const { isRehearsal, isMailed } = options;
  const memberImport = services.moving.begin(options);
  let last: ImportCounts | undefined;
  try {
    return await importAll(memberImport, arriving, async (each, result, counts) => {
      last = counts;
      await report(each, result);
      if (isQuiet) return;
      if (isRehearsal || result.outcome === "refused") terminal.print(toLineText(what, each, result));
      else if (each.number % LINES_A_REPORT === 0) terminal.print(`${what} ${each.number} ...`);
    });
  } finally {
    if (last && !isRehearsal) {
      await services.audit.record({
        operator,
        action: "members import",
        facts: { ...last, isMailed },
      });
    }
  }
}

export function readImportOptions(input: Input): ImportOptions {
  return {
    isRehearsal: input.has("dry-run"),
    isMailed: input.has("mail"),
    renewsHashes: true,
    skipsUnknownItems: input.has("skip-unknown"),
  };
}

function toLineText(word: string, each: Arriving, result: ImportResult): string {
  const who = each.ok ? `${each.member.email}: ` : "";
  const what =
    result.outcome === "refused"
      ? `refused. ${result.reason}`
      : result.outcome === "same"
        ? "nothing to do"
        : result.did.join(", ");
  return `${word} ${each.number}: ${who}${what}`;
}

export function toAnswer(
  counts: ImportCounts,
  { isRehearsal, refusedFile }: { isRehearsal: boolean; refusedFile?: string | undefined },
): Answer {
  const facts = printFacts([
    ["New members", counts.added],
    ["Members updated", counts.completed],
    ["Nothing to do", counts.same],
    ["Refused", counts.refused],
  ]);
  const rest = [
    ...(isRehearsal ? ["This was a rehearsal. Nothing was changed."] : []),
    ...(refusedFile === undefined ? [] : [`The refused lines are in ${refusedFile}, each with its reason.`]),
  ];
  return {
    ok: counts.refused === 0,
    text: ["", facts, ...(rest.length > 0 ? ["", ...rest] : [])].join("\n"),
    json: { ...counts, isRehearsal, refusedFile },
  };
}
