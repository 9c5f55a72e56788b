import { retryWebhook } from "../desk/health-acts.ts";
import { withServices } from "./command-context.ts";
import { refuse, type Command, type Group } from "./command.ts";
import { printInstant, printTable } from "./print.ts";

const list: Command = {
  summary: "list the webhook events that could not be handled, the latest first, and when each is tried again",
  example: "webhook list",
  run: () =>
    withServices(async ({ services }) => {
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
      const text = printTable(columns, rows, { whenEmpty: "No webhook event has failed." });
      return { ok: true, text, json: { webhooks } };
    }),
};

const retry: Command = {
  summary: "handle a webhook event now that could not be handled before",
  words: ["GATEWAY", "ID"],
  example: "webhook retry cards evt_1QwErTy",
  note: "It changes nothing about when the event is tried by itself.",
  run: ({ words: [gateway = "", id = ""] }) =>
    withServices(async ({ services, operator }) => {
      const result = await retryWebhook(services, { operator }, { gateway, id });
      if (result === "unknown")
        return refuse(`There is no failed webhook event ${id} of ${gateway}: see webhook list.`);
      if (result === "failed") return refuse(`The webhook event ${id} has failed again, for the reason above.`);
      return { ok: true, text: `The webhook event ${id} is handled.`, json: { gateway, id, result } };
    }),
};

export const webhookCommands: Group = {
  summary: "webhook events that could not be handled",
  commands: { list, retry },
};
