import { actCommands } from "./act-command.ts";
import { withServices } from "./command-context.ts";
import type { Command, Group } from "./command.ts";
import { printInstant, printTable } from "../operations/acts/print.ts";

const list: Command = {
  summary: "list the webhook events that failed, latest first, and when we next try each",
  example: "webhook list",
  run: (_input, terminal) =>
    withServices(terminal, async ({ services }) => {
      const webhooks = await services.webhooks.listFailed();
      const rows = webhooks.map(({ gateway, id, kind, subject, receivedAt, attempts, nextTryAt }) => [
        gateway,
        id,
        kind,
        subject,
        printInstant(receivedAt),
        attempts,
        printInstant(nextTryAt) ?? "never",
      ]);
      const columns = ["GATEWAY", "ID", "EVENT", "ABOUT", "RECEIVED", "TRIES", "NEXT TRY"];
      const text = printTable(columns, rows, { whenEmpty: "No webhook events have failed." });
      return { ok: true, text, json: { webhooks } };
    }),
};

export const webhookCommands: Group = {
  summary: "webhook events that failed",
  commands: { list, ...actCommands("webhook") },
};
