import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { withRooms } from "./command-context.ts";
import { refuse, type Command, type Group } from "./command.ts";
import { printInstant, printTable } from "./print.ts";

const list: Command = {
  summary: "list what the house does by itself, and when it last did",
  example: "task list",
  run: () =>
    withRooms(async ({ rooms }) => {
      const tasks = await rooms.tasks.list();
      const rows = tasks.map(({ name, everyInMs, isShared, lastTurnAt }) => [
        name,
        printPace(everyInMs),
        isShared ? "one for all" : "each server",
        printInstant(lastTurnAt),
      ]);
      const text = printTable(["TASK", "EVERY", "DONE BY", "LAST BEGUN"], rows, { whenEmpty: "There are no tasks." });
      return { ok: true, text, json: { tasks } };
    }),
};

const run: Command = {
  summary: "run a task now and wait for it; a running server may go on meanwhile",
  words: ["NAME"],
  example: "task run reconcile-payments",
  run: ({ words: [name = ""] }) =>
    withRooms(async ({ rooms }) => {
      const result = await rooms.tasks.run(name);
      if (result === "unknown") return refuse(`There is no task “${name}”: ${rooms.tasks.names().join(", ")}.`);
      if (result === "busy") return refuse(`${name} is running already: a server works on it now.`);
      if (result === "failed") return refuse(`${name} has failed, for the reason above. It may be run again.`);
      return { ok: true, text: `${name} is done.`, json: { name, result } };
    }),
};

export const taskCommands: Group = {
  summary: "what the house does by itself",
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
