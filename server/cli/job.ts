import { doerText, formatDuration, formatPace } from "../jobs/rules.ts";
import { withServices } from "./command-context.ts";
import { refuse, type Command, type Group } from "./command.ts";
import { printInstant, printTable } from "./print.ts";

const list: Command = {
  summary: "list the jobs that run by themselves, when each last began, how long it took, and its last failure",
  example: "job list",
  run: (_input, terminal) =>
    withServices(terminal, async ({ services }) => {
      const jobs = await services.jobs.list();
      const rows = jobs.map(({ name, everyInMs, isShared, lastRunAt, lastRun, lastFailure }) => [
        name,
        formatPace(everyInMs),
        doerText(isShared),
        printInstant(lastRunAt),
        lastRun && `${lastRun.result} in ${formatDuration(lastRun.tookInMs)}`,
        lastFailure && `${printInstant(lastFailure.at)}: ${lastFailure.error}`,
      ]);
      const columns = ["JOB", "EVERY", "DONE BY", "LAST BEGUN", "LAST RUN", "LAST FAILURE"];
      const text = printTable(columns, rows, { whenEmpty: "There are no jobs." });
      return { ok: true, text, json: { jobs } };
    }),
};

const run: Command = {
  summary: "run a job now and wait for it; a running server may go on meanwhile",
  words: ["NAME"],
  example: "job run reconcile-payments",
  run: ({ words: [name = ""] }, terminal) =>
    withServices(terminal, async ({ services }) => {
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
