import { TAKE_BACK_DAYS } from "../../members/accounts/context.ts";
import type { AddressResult } from "../../members/accounts/support.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import { formatDate, waitText } from "../../platform/format.ts";
import type { TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { desk as table, forms, person } from "../../refusals.ts";
import { type ActResult, defineAct, refuseAct } from "./act.ts";
import { anyText, choiceField } from "./fields.ts";

export const memberActs = {
  "member verification": defineAct({
    subject: "member",
    fields: {},
    audit: "Sent the code for a new address again",
    desk: {
      role: "support",
      title: "Send the code for the new address again",
      button: "Send it again",
      pending: "Sending...",
    },
    command: {
      summary: "send the code for a member's new address again",
      example: "member verification ada@example.org",
      note: "The same limits apply as for the member's own button.",
    },
    async run(_values, { services, subject, site, address, record }) {
      const result = await services.profile.resendConfirmation(subject.id, { site, address }, (trx) =>
        record({ memberId: subject.id }, trx),
      );
      return result.ok ? { ok: true, message: "The code for the new address is on its way." } : refuseEmail(result);
    },
  }),

  "member reset": defineAct({
    subject: "member",
    fields: {},
    audit: "Sent a code for a new password",
    desk: { role: "support", title: "Send a code for a new password", button: "Send a code", pending: "Sending..." },
    command: {
      summary: "send a member the code and link for a new password, as if they had asked for it",
      example: "member reset ada@example.org",
    },
    async run(_values, { services, subject: { id, email }, site, address, record }) {
      const note = (trx: Queries) => record({ memberId: id }, trx);
      const result = await services.passwordReset.request({ email, site, address, note });
      if (result.ok) return { ok: true, message: "A code for a new password is on its way." };
      return result.reason === "too-many-attempts" ? refuseEmail(result) : refuseAct(table["no-account"]);
    },
  }),

  "member name": defineAct({
    subject: "member",
    fields: {
      firstName: { label: "First name", schema: anyText, value: "NAME" },
      lastName: { label: "Surname", schema: anyText, value: "NAME" },
    },
    audit: "Corrected the name",
    desk: { role: "support", title: "Correct the name", button: "Save the name", pending: "Saving..." },
    command: {
      summary: "correct a member's name",
      example: "member name ada@example.org --first-name Ada --last-name Lovelace",
    },
    run(names, { services, subject: { id: memberId }, record }) {
      return services.transact(async (trx) => {
        const result = await services.support.correctName({ memberId, ...names }, trx);
        if ("reason" in result) return refuseAct(table["no-account"]);
        if (!result.ok) return refuseNames(result.refusals);
        await record({ memberId }, trx);
        return { ok: true, message: "Name corrected." };
      });
    },
  }),

  "member address": defineAct({
    subject: "member",
    fields: {
      email: { label: "New email", schema: anyText, value: "EMAIL", type: "email" },
      mailbox: {
        label: "The old address",
        schema: choiceField(["read", "lost"], table["mailbox-missing"]),
        value: "read|lost",
        options: [
          { value: "read", label: "They still read it" },
          { value: "lost", label: "They've lost it (say how you know under Reason)" },
        ],
      },
    },
    audit: "Started a change of address",
    desk: {
      role: "owner",
      title: "Start a change of address",
      button: "Email both addresses",
      pending: "Sending...",
      note: "We email both addresses. Once they enter the code from the new one, the change happens when they agree from the old one, or after three days.",
    },
    command: {
      summary: "start a change of a member's address: both addresses get an email",
      example: "member address ada@example.org --email ada.new@example.org --mailbox read",
      note: "Once they enter the code from the new address, the change happens when they agree from the old one, or after three days.",
    },
    async run({ email, mailbox }, { services, subject: { id: memberId }, site, record }) {
      // The rate limiter has its own connection: inside the transaction it would wait for this one forever.
      const tooMany = await services.support.countAddressEmail(email);
      if (tooMany) return refuseAddress(tooMany);
      return services.transact(async (trx) => {
        const isMailboxLost = mailbox === "lost";
        const result = await services.support.startAddressChange({ memberId, email, isMailboxLost, site }, trx);
        if (!result.ok) return refuseAddress(result);
        await record({ memberId, facts: { isMailboxLost } }, trx);
        return {
          ok: true,
          message: "We've emailed both addresses. The old one stays in use until it agrees, or for three days.",
        };
      });
    },
  }),

  "member sessions": defineAct({
    subject: "member",
    fields: {},
    audit: "Logged the member out everywhere",
    desk: { role: "support", title: "Log them out everywhere", button: "Log them out", pending: "Logging out..." },
    command: { summary: "log a member out everywhere", example: "member sessions ada@example.org" },
    run(_values, { services, subject: { id: memberId }, record }) {
      return services.transact(async (trx) => {
        const ended = await services.sessions.endAll(memberId, trx);
        await record({ memberId, facts: { ended } }, trx);
        return { ok: true, message: `Logged out everywhere. Sessions ended: ${ended}.`, json: { ended } };
      });
    },
  }),

  "member newsletter-end": defineAct({
    subject: "member",
    fields: {},
    audit: "Stopped New this month",
    desk: {
      role: "support",
      title: "Stop New this month",
      button: "Stop these emails",
      pending: "Stopping...",
      note: "Use this if the member asks, or if these emails bounce back to you. They can turn them on again.",
    },
    command: {
      summary: "stop the email New this month for a member",
      example: "member newsletter-end ada@example.org",
      note: "Use this if the member asks, or if these emails bounce back to you.",
    },
    async run(_values, { services, subject: { id: memberId }, record }) {
      const wasOn = await services.newsletter.end(memberId, (trx) => record({ memberId }, trx));
      return {
        ok: true,
        message: wasOn ? "New this month is off for this member." : "New this month was already off for this member.",
        json: { wasOn },
      };
    },
  }),

  "member close": defineAct({
    subject: "member",
    fields: {},
    audit: "Closed the account",
    desk: {
      role: "owner",
      isEnding: true,
      title: "Close the account",
      button: "Close it",
      pending: "Closing...",
      note: "The same as if the member closed it. They get a link by email to reopen it, and we erase it in 14 days.",
    },
    command: {
      summary: "close a member's account as they would: with a link to reopen it, and erased in 14 days",
      example: "member close ada@example.org",
    },
    async predict(_values, { services: { clock }, subject: { email } }) {
      const eraseAt = after(clock(), TAKE_BACK_DAYS * DAY_IN_MS);
      return [
        "The account closes now, and the member can no longer log in.",
        `We erase everything about them on ${formatDate(eraseAt)}. Until then they can reopen it with a link that we email to ${email}.`,
        "We don't refund anything.",
      ];
    },
    run(_values, { services, subject: { id: memberId }, site, record }) {
      return services.transact(async (trx) => {
        const eraseAt = await services.support.close({ memberId, site }, trx);
        if (!eraseAt) return refuseAct(table["no-account"]);
        await record({ memberId, facts: { eraseAt: eraseAt.toISOString() } }, trx);
        const message = `Account closed. We'll erase it on ${formatDate(eraseAt)}. Until then the member can reopen it with the link in our email.`;
        return { ok: true, message, json: { eraseAt } };
      });
    },
  }),

  "sign-up verification": defineAct({
    subject: "sign-up",
    fields: {},
    audit: "Sent the code and link of a sign-up again",
    desk: {
      role: "support",
      title: "Send the code and link again",
      button: "Send them again",
      pending: "Sending...",
    },
    command: {
      summary: "send the code and link of an unfinished sign-up again",
      example: "sign-up verification ada@example.org",
    },
    // A sign-up has no member yet, so its line names the draft.
    async run(_values, { services, subject: { id }, record }) {
      const result = await services.signUp.resendFor(id, (trx) => record({ facts: { draft: id } }, trx));
      return result.ok ? { ok: true, message: "A new code and link are on their way." } : refuseEmail(result);
    },
  }),
};

function refuseEmail({ reason, waitInMs = 0 }: { reason: string; waitInMs?: number }): ActResult {
  if (reason === "too-soon") return refuseAct(table["email-too-soon"](waitText(waitInMs)));
  if (reason === "too-many-attempts") return refuseAct(table["email-too-many"](waitText(waitInMs)));
  if (reason === "nothing-pending") return refuseAct(table["nothing-pending"]);
  if (reason === "already-verified") return refuseAct(table["already-verified"]);
  return refuseAct(reason === "no-draft" ? table["no-sign-up"] : table["no-account"]);
}

const nameSentences = {
  "first-name-missing": person["first-name-missing"],
  "last-name-missing": person["last-name-missing"],
  "first-name-long": person["name-long"],
  "last-name-long": person["name-long"],
};

function refuseNames(refusals: (keyof typeof nameSentences)[]): ActResult {
  const errors: Record<string, string[]> = {};
  for (const refusal of refusals) {
    errors[refusal.startsWith("first") ? "firstName" : "lastName"] = [nameSentences[refusal]];
  }
  return { ok: false, errors };
}

function refuseAddress(result: Extract<AddressResult, { ok: false }> | TooMany): ActResult {
  switch (result.reason) {
    case "email-invalid":
    case "email-registered":
      return refuseAct(person[result.reason], "email");
    case "email-same":
      return refuseAct(table["email-same"], "email");
    case "no-account":
      return refuseAct(table["no-account"]);
    case "too-many-attempts":
      return refuseAct(forms["too-many-attempts"](waitText(result.waitInMs)));
  }
}
