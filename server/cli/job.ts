import { doerText, formatDuration, formatPace } from "../platform/jobs/labels.ts";
import { actCommands } from "./act-command.ts";
import { withServices } from "./command-context.ts";
import type { Command, Group } from "./command.ts";
import { printInstant, printTable } from "../operations/acts/print.ts";

const list: Command = {
  summary: "list the jobs that run automatically, when each last started, how long it took, and its last failure",
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
      const columns = ["JOB", "EVERY", "DONE BY", "LAST STARTED", "LAST RUN", "LAST FAILURE"];
      const text = printTable(columns, rows, { whenEmpty: "There are no jobs." });
      return { ok: true, text, json: { jobs } };
    }),
};

export const jobCommands: Group = {
  summary: "jobs that run automatically",
  commands: { list, ...actCommands("job") },
};
