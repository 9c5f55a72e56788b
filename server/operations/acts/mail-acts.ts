import { deskHealth as table } from "../../refusals.ts";
import { type ActContext, type ActResult, defineAct, refuseAct } from "./act.ts";
import { emailAddress } from "./fields.ts";
import { type EmailList, toCount } from "./subjects.ts";

/** At the desk the subject is the list on the screen: "failed" or "waiting". */

export const mailActs = {
  "mail resend": defineAct({
    subject: "email list",
    item: { words: ["ID"] },
    fields: {},
    audit: "Tried emails again",
    desk: { role: "support", title: "Try email {item} again", button: "Try again", pending: "Queuing it..." },
    command: {
      summary: "send an email again, or one that was given up",
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
        const text = `Email ${id} (${kind}) goes to ${to} as soon as the server sends its mail, within seconds if it runs.`;
        const json = { id, kind, to, memberId, state: "waiting" };
        return { ok: true, message: `Email ${id} is tried again within seconds.`, text, json };
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
      note: "Each that failed and is not noted goes out once more. Emails that held a code or a link stay: their words are erased.",
    },
    command: {
      summary: "send all emails again that failed and are not acknowledged",
      example: "mail resend-all",
      note: "Emails with a code or a link stay: their words are erased.",
    },
    run(_values, { services: { outbox, transact }, record }) {
      return transact(async (trx) => {
        const resent = await outbox.resendFailed(trx);
        await record({ facts: { mail: "all", resent } }, trx);
        return { ok: true, message: `Emails that are tried again within seconds: ${resent}.`, json: { resent } };
      });
    },
  }),

  "mail acknowledge": defineAct({
    subject: "email list",
    item: { words: ["ID|all"] },
    fields: {},
    audit: "Took note of failed emails",
    desk: { role: "support", title: "Take note of email {item}", button: "Take note", pending: "Noting it..." },
    command: {
      summary: "mark failed emails as known: doctor no longer reports them",
      example: "mail acknowledge all",
      note: "They stay in mail list --state failed, and mail resend still sends them.",
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
      title: "Take note of all",
      button: "Take note of all",
      pending: "Noting them...",
      note: "They stay in this list, and no longer count as trouble.",
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
      note: "It goes out at once, says only that it is a test, and is not kept. You read what the mail server answers.",
    },
    // Calls the mail server, so the audit line follows with the result.
    async run({ email: to }, { services, record }) {
      const { emails, outbox } = services;
      const delivery = await outbox.sendTest({ to, mail: emails.makeTest() });
      await record({ facts: { isSent: delivery.ok } });
      if (!delivery.ok) return refuseAct(table["test-failed"](delivery.reason));
      return { ok: true, message: `A test was sent to ${to}. Look in its inbox, and in its spam folder.` };
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
        ? refuseAct(`Email ${id} has not failed: it is ${mail.state}.`)
        : refuseUnknown(ctx);
    }
    const acknowledged = await services.outbox.acknowledge(id === undefined ? {} : { id }, trx);
    await record({ facts: { mail: id ?? "all", acknowledged } }, trx);
    const message =
      id === undefined ? `Failures that are noted now: ${acknowledged}.` : `The failure of email ${id} is noted.`;
    return { ok: true, message, json: { acknowledged } };
  });
}
