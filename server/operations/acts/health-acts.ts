import { sumSections } from "../../content/items/kinds.ts";
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
    desk: { role: "support", title: "Run {id} again", button: "Run again", pending: "Running..." },
    command: {
      summary: "try again now to handle a webhook event that failed",
      example: "webhook retry cards evt_1QwErTy",
      note: "It doesn't change when the event is next tried automatically.",
    },
    // Calls the gateway, so the audit line follows with the result.
    async run(_values, { services, item, record }) {
      const at = item.indexOf(" ");
      const event = { gateway: item.slice(0, Math.max(at, 0)), id: item.slice(at + 1) };
      const result = await services.webhooks.runAgain(event);
      if (result === "unknown") return refuseAct(table["no-webhook"]);
      await record({ facts: { gateway: event.gateway, webhook: event.id, result } });
      if (result === "failed") return refuseAct(table["webhook-failed"]);
      return { ok: true, message: `Webhook event ${event.id} was handled.`, json: { ...event, result } };
    },
  }),

  "catalogue refresh": defineAct({
    subject: "none",
    fields: {
      acceptEmpty: {
        label: "Accept an empty catalogue",
        hint: "The CMS is meant to be empty now.",
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
      note: "This server reads the content now. Every server also does so once a minute.",
    },
    command: {
      summary: "read the content now, and list what came in, what was left out and what items lost",
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
      title: "Accept an empty source",
      button: "Accept it",
      pending: "Reading the content...",
      note: "Only if the content source is meant to have lost all items of a kind. Do it on each server.",
    },
    command: {
      summary: "the same as refresh --accept-empty",
      example: "catalogue accept-empty",
      isQuiet: true,
    },
    async predict(_values, { services: { catalogue } }) {
      await catalogue.open();
      const { counts } = catalogue.status();
      const total = sumSections(counts);
      return [
        "We read the content source now. Anything it no longer has disappears from the site immediately.",
        `The site has ${total} items now.`,
      ];
    },
    run: (_values, ctx) => refresh(ctx, true),
  }),

  "job run": defineAct({
    subject: "none",
    item: { words: ["NAME"] },
    fields: {},
    audit: "Ran a job",
    desk: { role: "support", title: "Run {item} now", button: "Run it now", pending: "Running..." },
    command: {
      summary: "run a job now and wait for it; the server can stay up",
      example: "job run reconcile-payments",
    },
    // A job has its own transactions, so the audit line follows with the result.
    async run(_values, { services: { jobs }, item: name, record }) {
      const result = await jobs.run(name);
      if (result === "unknown") return refuseAct(`${table["no-job"](name)} The jobs are ${formatList(jobs.names())}.`);
      if (result === "busy") return refuseAct(table["job-busy"]);
      await record({ facts: { job: name, result } });
      if (result === "failed") return refuseAct(table["job-failed"]);
      return { ok: true, message: `Ran ${name}.`, json: { name, result } };
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
  const total = sumSections(counts);
  return { ok: true, message: `Content read: ${total} items, ${skipped.length} left out.`, ...printed };
}
