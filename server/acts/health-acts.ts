import { sectionNames } from "../content/kinds.ts";
import { deskHealth as table } from "../refusals.ts";
import { type ActResult, defineAct, refuseAct } from "./act.ts";
import { flag } from "./fields.ts";
import { printCatalogue, toCatalogueJson } from "../cli/print-catalogue.ts";

/** The acts on webhook events and the catalogue. */

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
    // It asks the gateway, so the audit line follows with the result.
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
    // A provider is asked on behalf of a member who is logged in; where there is none, nothing is read.
    async run({ acceptEmpty: acceptsEmpty }, { services, record }): Promise<ActResult> {
      const { catalogue, clock } = services;
      // So that a reading that fails shows what there still is.
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
    },
  }),
};
