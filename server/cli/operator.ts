import { actCommands } from "./act-command.ts";
import type { Command, Group } from "./command.ts";
import { withServices } from "./command-context.ts";
import { printInstant, printTable } from "../operations/acts/print.ts";

const list: Command = {
  summary: "list the operators by address",
  example: "operator list",
  run: (_input, terminal) =>
    withServices(terminal, async ({ services }) => {
      const operators = await services.operators.list();
      const rows = operators.map(({ email, name, role, isActive, createdAt }) => [
        email,
        name,
        role,
        isActive ? "yes" : "not yet",
        printInstant(createdAt),
      ]);
      const whenEmpty = "There are no operators, so there's no desk. Add the first with `operator add`.";
      const text = printTable(["E-MAIL", "NAME", "ROLE", "SET UP", "SINCE"], rows, { whenEmpty });
      return { ok: true, text, json: { operators } };
    }),
};

export const operatorCommands: Group = {
  summary: "operators of the desk, and their roles",
  commands: { list, ...actCommands("operator") },
};
