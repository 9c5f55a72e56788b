import { deskHealth as table } from "../../refusals.ts";
import { type ActContext, type ActResult, defineAct, refuseAct } from "./act.ts";
import { emailAddress } from "./fields.ts";
import { type EmailList } from "./subjects.ts";
import { toCount } from "../../platform/count.ts";

/** At the desk the subject is the list on the screen: "failed" or "waiting". */

export const mailActs = {
  "mail resend": defineAct({
    subject: "email list",
    item: { words: ["ID"] },
    fields: {},
    audit: "Tried emails again",
    desk: { role: "support", title: "Try email {item} again", button: "Try again", pending: "Queuing it..." },
    command: {
      summary: "send an email again, whether it went out or failed",
      example: "mail resend 42",
    },
    async run(_values, ctx) {
      const { services, record } = ctx;
      const id = await findListed(ctx);
      if (id === undefined) return refuseUnknown(ctx);
      return services.transact(async (trx) => {
        const mail = await services.outbox.find(id, trx);
        const result = mail ? await services.outbox.resend(id, trx) : "unknown";
        if (!mail || result === "unknown") return refuseUnknown(ctx);
        if (result === "gone") return refuseAct(table["email-gone"]);
        const { memberId, kind, to } = mail;
        await record({ memberId, facts: { mail: id } }, trx);
        const text = `Email ${id} (${kind}) goes to ${to} within seconds, if a server is running.`;
        const json = { id, kind, to, memberId, state: "waiting" };
        return { ok: true, message: `We'll try email ${id} again within seconds.`, text, json };
      });
    },
  }),

  "mail resend-all": defineAct({
    subject: "none",
    fields: {},
    audit: { as: "mail resend" },
    desk: {
      role: "support",
      title: "Try all again",
      button: "Try all again",
      pending: "Queuing them...",
      note: "Sends every failed email that wasn't dismissed. Emails with a code or a link can't be sent again, as we've deleted their text.",
    },
    command: {
      summary: "send every failed email that wasn't dismissed",
      example: "mail resend-all",
      note: "Emails with a code or a link can't be sent again, as their text was deleted.",
    },
    run(_values, { services: { outbox, transact }, record }) {
      return transact(async (trx) => {
        const resent = await outbox.resendFailed(trx);
        await record({ facts: { mail: "all", resent } }, trx);
        return { ok: true, message: `Emails to try again within seconds: ${resent}.`, json: { resent } };
      });
    },
  }),

  "mail acknowledge": defineAct({
    subject: "email list",
    item: { words: ["ID|all"] },
    fields: {},
    audit: "Dismissed failed emails",
    desk: { role: "support", title: "Dismiss email {item}", button: "Dismiss", pending: "Dismissing..." },
    command: {
      summary: "dismiss failed emails, so that doctor no longer reports them",
      example: "mail acknowledge all",
      note: "mail list --state failed still shows them, and mail resend still sends them.",
    },
    async run(_values, ctx) {
      // Only the command: each form of the desk is about one email, or for all.
      if (ctx.subject === "any" && ctx.item === "all") return acknowledge(ctx, undefined);
      const id = await findListed(ctx);
      return id === undefined ? refuseUnknown(ctx) : acknowledge(ctx, id);
    },
  }),

  "mail acknowledge-all": defineAct({
    subject: "none",
    fields: {},
    audit: { as: "mail acknowledge" },
    desk: {
      role: "support",
      title: "Dismiss all",
      button: "Dismiss all",
      pending: "Dismissing...",
      note: "They stay in this list, but Today no longer shows them.",
    },
    command: { summary: "the same as acknowledge all", example: "mail acknowledge-all" },
    run: (_values, ctx) => acknowledge(ctx, undefined),
  }),

  "mail test": defineAct({
    subject: "none",
    fields: {
      email: { label: "Email", schema: emailAddress(table["test-address"]), value: "EMAIL", type: "email" },
    },
    audit: { as: "mail test" },
    desk: {
      role: "support",
      title: "Send a test email",
      button: "Send it now",
      pending: "Sending it...",
      note: "It goes out now, says only that it's a test, and isn't saved. You'll see the mail server's answer.",
    },
    // Calls the mail server, so the audit line follows with the result.
    async run({ email: to }, { services, record }) {
      const { emails, outbox } = services;
      const delivery = await outbox.sendTest({ to, mail: emails.makeTest() });
      await record({ facts: { isSent: delivery.ok } });
      if (!delivery.ok) return refuseAct(table["test-failed"](delivery.reason));
      return { ok: true, message: `Test sent to ${to}. Check the inbox and the spam folder.` };
    },
  }),
};

/** Only if the email is (still) in the list on the screen. */
async function findListed({
  services,
  subject: list,
  item: typed,
}: ActContext<EmailList>): Promise<number | undefined> {
  const id = toCount(typed);
  const mail = id === undefined ? undefined : await services.outbox.find(id);
  return mail && (list === "any" || mail.state === list) ? id : undefined;
}

function refuseUnknown({ subject: list, item: typed }: ActContext<EmailList | "none">): ActResult {
  return refuseAct(list === "any" ? `There is no email ${typed}.` : table["no-email"]);
}

/** One email's failure, or all so far. */
function acknowledge(ctx: ActContext<EmailList | "none">, id: number | undefined): Promise<ActResult> {
  const { services, record } = ctx;
  return services.transact(async (trx) => {
    const mail = id === undefined ? undefined : await services.outbox.find(id, trx);
    if (id !== undefined && mail?.state !== "failed") {
      return ctx.subject === "any" && mail
        ? refuseAct(`Email ${id} hasn't failed. It is ${mail.state}.`)
        : refuseUnknown(ctx);
    }
    const acknowledged = await services.outbox.acknowledge(id === undefined ? {} : { id }, trx);
    await record({ facts: { mail: id ?? "all", acknowledged } }, trx);
    const message = id === undefined ? `Dismissed: ${acknowledged}.` : `Email ${id} dismissed.`;
    return { ok: true, message, json: { acknowledged } };
  });
}
