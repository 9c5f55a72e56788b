import { sectionNames } from "../../content/catalogue/kinds.ts";
import { formatList } from "../../platform/format.ts";
import { deskHealth as table } from "../../refusals.ts";
import { type ActContext, type ActResult, defineAct, refuseAct } from "./act.ts";
import { flag } from "./fields.ts";
import { printCatalogue, toCatalogueJson } from "./print-catalogue.ts";

export const healthActs = {
  "webhook retry": defineAct({
    subject: "none",
    item: { words: ["GATEWAY", "ID"] },
    fields: {},
    audit: "Ran a webhook event again",
    desk: { role: "support", title: "Run {id} again", button: "Run again", pending: "Running it..." },
    command: {
      summary: "handle a webhook event now that could not be handled before",
      example: "webhook retry cards evt_1QwErTy",
      note: "The event's own retries do not change.",
    },
    // Calls the gateway, so the audit line follows with the result.
    async run(_values, { services, item, record }) {
      const at = item.indexOf(" ");
      const event = { gateway: item.slice(0, Math.max(at, 0)), id: item.slice(at + 1) };
      const result = await services.webhooks.runAgain(event);
      if (result === "unknown") return refuseAct(table["no-webhook"]);
      await record({ facts: { gateway: event.gateway, webhook: event.id, result } });
      if (result === "failed") return refuseAct(table["webhook-failed"]);
      return { ok: true, message: `The webhook event ${event.id} is handled.`, json: { ...event, result } };
    },
  }),

  "catalogue refresh": defineAct({
    subject: "none",
    fields: {
      acceptEmpty: {
        label: "Accept an empty catalogue",
        hint: "It is right that a CMS with many items has none now.",
        schema: flag,
        isOptional: true,
        atDesk: "",
      },
    },
    audit: "Read the content again",
    desk: {
      role: "support",
      title: "Refresh now",
      button: "Refresh now",
      pending: "Reading the content...",
      note: "This server reads the content source at once. Every server does so each minute by itself.",
    },
    command: {
      summary: "read the content source now, and say what was taken in, what was left out, and what items lost",
      example: "catalogue refresh",
      isQuiet: true,
    },
    run: ({ acceptEmpty }, ctx) => refresh(ctx, acceptEmpty),
  }),

  "catalogue accept-empty": defineAct({
    subject: "none",
    fields: {},
    audit: { as: "catalogue refresh" },
    desk: {
      role: "owner",
      isEnding: true,
      title: "Accept that there is nothing",
      button: "Accept it",
      pending: "Reading the content...",
      note: "Only where it is right that the content source has none of a kind that it had many of. Each server needs it.",
    },
    command: {
      summary: "the same as refresh --accept-empty",
      example: "catalogue accept-empty",
      isQuiet: true,
    },
    async predict(_values, { services: { catalogue } }) {
      await catalogue.open();
      const { counts } = catalogue.status();
      const total = sectionNames.reduce((sum, section) => sum + counts[section], 0);
      return [
        "The content source is read now, and what it does not have any more disappears from the site at once.",
        `There are ${total} items now.`,
      ];
    },
    run: (_values, ctx) => refresh(ctx, true),
  }),

  "job run": defineAct({
    subject: "none",
    item: { words: ["NAME"] },
    fields: {},
    audit: "Ran a job",
    desk: { role: "support", title: "Run {item} now", button: "Run it now", pending: "Running it..." },
    command: {
      summary: "run a job now and wait for it; a running server may go on meanwhile",
      example: "job run reconcile-payments",
    },
    // A job has its own transactions, so the audit line follows with the result.
    async run(_values, { services: { jobs }, item: name, record }) {
      const result = await jobs.run(name);
      if (result === "unknown") return refuseAct(`${table["no-job"](name)} There are ${formatList(jobs.names())}.`);
      if (result === "busy") return refuseAct(table["job-busy"]);
      await record({ facts: { job: name, result } });
      if (result === "failed") return refuseAct(table["job-failed"]);
      return { ok: true, message: `${name} is done.`, json: { name, result } };
    },
  }),
};

/** Reads the content source now. A provider is read for a logged-in member; without one, nothing is read. */
async function refresh({ services, record }: ActContext, acceptsEmpty: boolean): Promise<ActResult> {
  const { catalogue, clock } = services;
  // A failed reading then shows the stored content.
  await catalogue.open();
  const startedAt = clock();
  await catalogue.refresh({ acceptsEmpty });
  const status = catalogue.status();
  const { fault, readAt, skipped, counts } = status;
  const isUnread = fault === undefined && !(readAt && readAt >= startedAt);
  await record({ facts: { leftOut: skipped.length, result: fault ? "fault" : isUnread ? "unasked" : "read" } });
  if (isUnread) return refuseAct(table["catalogue-unread"]);
  const printed = {
    text: printCatalogue(status, { now: clock(), hasSkipped: fault === undefined }),
    json: toCatalogueJson(status),
  };
  if (fault !== undefined) return { ...refuseAct(table["catalogue-fault"](fault)), ...printed };
  const total = sectionNames.reduce((sum, section) => sum + counts[section], 0);
  return { ok: true, message: `The catalogue was read: ${total} items, ${skipped.length} left out.`, ...printed };
}
