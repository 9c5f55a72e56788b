import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { withServices } from "./command-context.ts";
import { refuse, type Command, type Group } from "./command.ts";
import { printInstant, printTable } from "./print.ts";

const list: Command = {
  summary: "list the jobs that run by themselves, and when each last began",
  example: "job list",
  run: () =>
    withServices(async ({ services }) => {
      const jobs = await services.jobs.list();
      const rows = jobs.map(({ name, everyInMs, isShared, lastRunAt }) => [
        name,
        printPace(everyInMs),
        isShared ? "one for all" : "each server",
        printInstant(lastRunAt),
      ]);
      const text = printTable(["JOB", "EVERY", "DONE BY", "LAST BEGUN"], rows, { whenEmpty: "There are no jobs." });
      return { ok: true, text, json: { jobs } };
    }),
};

const run: Command = {
  summary: "run a job now and wait for it; a running server may go on meanwhile",
  words: ["NAME"],
  example: "job run reconcile-payments",
  run: ({ words: [name = ""] }) =>
    withServices(async ({ services }) => {
      const result = await services.jobs.run(name);
      if (result === "unknown") return refuse(`There is no job “${name}”: ${services.jobs.names().join(", ")}.`);
      if (result === "busy") return refuse(`${name} is running already: a server works on it now.`);
      if (result === "failed") return refuse(`${name} has failed, for the reason above. It may be run again.`);
      return { ok: true, text: `${name} is done.`, json: { name, result } };
    }),
};

export const jobCommands: Group = {
  summary: "jobs that run by themselves",
  commands: { list, run },
};

const paces = [
  ["hour", HOUR_IN_MS],
  ["minute", MINUTE_IN_MS],
  ["second", SECOND_IN_MS],
] as const;

function printPace(everyInMs: number): string {
  const [unit, length] = paces.find(([, inMs]) => everyInMs % inMs === 0) ?? ["second", SECOND_IN_MS];
  const count = everyInMs / length;
  return count === 1 ? unit : `${count} ${unit}s`;
}
