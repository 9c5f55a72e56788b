import { z } from "zod";

import type { AddressResult } from "../../../server/accounts/support.ts";
import {
  closeMember,
  correctName,
  deactivateMember,
  endSessions,
  giveTerm,
  resendConfirmation,
  resendVerification,
  restoreMember,
  sendReset,
  startAddressChange,
} from "../../../server/desk/member-acts.ts";
import type { TooMany } from "../../../server/rate-limit/rate-limit.ts";
import { formatDate, formatPence } from "../../../server/format.ts";
import { desk as table, person } from "../../../server/refusals.ts";
import { tooMany, waitText } from "../../forms/messages.ts";
import { toCount } from "../../forms/text-of.ts";
import { type ActContext, type ActResult, defineAct, refuseAct } from "./define-act.ts";

/** The acts of a member's page, whose address names the member. */

const text = z.string().default("");
const nothing = z.object({});

/** Does an act for the member of the page. Refuses where there is none, and in a closed account unless the act `isForClosed` too. */
async function withMember(
  ctx: ActContext,
  work: (memberId: number) => Promise<ActResult>,
  isForClosed = false,
): Promise<ActResult> {
  const memberId = toCount(ctx.subject);
  const record = memberId === undefined ? undefined : await ctx.services.accounts.findRecord(memberId);
  if (!record) return refuseAct(table.ours["no-account"]);
  return record.eraseAt === undefined || isForClosed ? work(record.id) : refuseAct(table.ours["no-account"]);
}

type EmailRefusal = { reason: string; waitInMs?: number };

function refuseEmail({ reason, waitInMs = 0 }: EmailRefusal): ActResult {
  if (reason === "too-soon") return refuseAct(table.ours["email-too-soon"](waitText(waitInMs)));
  if (reason === "too-many-attempts") return refuseAct(table.ours["email-too-many"](waitText(waitInMs)));
  if (reason === "nothing-pending") return refuseAct(table.ours["nothing-pending"]);
  if (reason === "already-verified") return refuseAct(table.ours["already-verified"]);
  return refuseAct(reason === "no-draft" ? table.ours["no-sign-up"] : table.ours["no-account"]);
}

export const memberActs = {
  "member-verification": defineAct({
    fields: nothing,
    run: (_, ctx) =>
      withMember(ctx, async (memberId) => {
        const { services, by, site, address } = ctx;
        const result = await resendConfirmation(services, by, { memberId, site, address });
        return result.ok ? { ok: true, message: "The code for the new address is on its way." } : refuseEmail(result);
      }),
  }),

  "member-reset": defineAct({
    fields: nothing,
    run: (_, ctx) =>
      withMember(ctx, async (memberId) => {
        const { services, by, site, address } = ctx;
        const result = await sendReset(services, by, { memberId, site, address });
        return result.ok ? { ok: true, message: "A code for a new password is on its way." } : refuseEmail(result);
      }),
  }),

  "member-name": defineAct({
    fields: z.object({ firstName: text, lastName: text }),
    run: (names, ctx) =>
      withMember(ctx, async (memberId) => {
        const result = await correctName(ctx.services, ctx.by, { memberId, ...names });
        if (result.ok) return { ok: true, message: "The name is corrected." };
        if ("reason" in result) return refuseAct(table.ours["no-account"]);
        const errors = result.refusals.map((refusal) => [
          refusal.startsWith("first") ? "firstName" : "lastName",
          [nameSentences[refusal]],
        ]);
        return { ok: false, errors: Object.fromEntries(errors) as Record<string, string[]> };
      }),
  }),

  "member-address": defineAct({
    fields: z.object({ email: text, mailbox: z.enum(["read", "lost"], { error: table.ours["mailbox-missing"] }) }),
    run: ({ email, mailbox }, ctx) =>
      withMember(ctx, async (memberId) => {
        const { services, by, site } = ctx;
        const result = await startAddressChange(services, by, {
          memberId,
          email,
          isMailboxLost: mailbox === "lost",
          site,
        });
        return result.ok
          ? { ok: true, message: "Both addresses are told. The old one counts until it agrees, or for three days." }
          : refuseAddress(result);
      }),
  }),

  "member-sessions": defineAct({
    fields: nothing,
    run: (_, ctx) =>
      withMember(ctx, async (memberId) => {
        const ended = await endSessions(ctx.services, ctx.by, memberId);
        return { ok: true, message: `Logged out everywhere. Sessions ended: ${ended}.` };
      }),
  }),

  "member-term": defineAct({
    fields: z.object({ plan: text }),
    run: ({ plan: type }, ctx) =>
      withMember(ctx, async (memberId) => {
        const plan = ctx.services.plans.find((each) => String(each.type) === type);
        if (!plan) return refuseAct(table.ours["plan-missing"], "plan");
        const endsAt = await giveTerm(ctx.services, ctx.by, { memberId, plan });
        return { ok: true, message: `A term was given. It ends on ${formatDate(endsAt)}.` };
      }),
  }),

  "member-restore": defineAct({
    fields: nothing,
    run: (_, ctx) =>
      withMember(ctx, async (memberId) => {
        const { change, freed } = await restoreMember(ctx.services, ctx.by, memberId);
        if (!change) return refuseAct(table.ours["not-revoked"]);
        const seat = freed
          ? change.seat
            ? ` The seat of ${freed} is theirs again.`
            : ` No seat of ${freed} was left.`
          : "";
        return { ok: true, message: `What was ended runs again.${seat}` };
      }),
  }),

  "member-end": defineAct({
    fields: nothing,
    run: (_, ctx) =>
      withMember(ctx, async (memberId) => {
        const done = await deactivateMember(ctx.services, ctx.by, memberId);
        if (!done) return refuseAct(table.ours["nothing-to-end"]);
        return {
          ok: true,
          message: `Access is ended. Sessions ended: ${done.sessions}. Seat freed: ${done.seat ?? "none"}.`,
        };
      }),
  }),

  "member-refund": defineAct({
    fields: z.object({ subject: text }),
    run: ({ subject }, ctx) =>
      withMember(
        ctx,
        async (memberId) => {
          const { payments, accounts } = ctx.services;
          const record = await accounts.findRecord(memberId);
          const orders = await payments.listFor({ memberId, email: record?.closedEmail ?? record?.email ?? "" });
          const order = orders.find(({ order: { id } }) => String(id) === subject)?.order;
          if (!order) return refuseAct(table.ours["not-their-order"]);
          const result = await payments.giveBack({ orderId: order.id, by: ctx.by });
          if (!result.ok) return refuseAct(table.ours[result.reason]);
          return {
            ok: true,
            message: `${formatPence(result.amountInPence)} is on its way back, and the term has ended. The member is told.`,
          };
        },
        true,
      ),
  }),

  "member-close": defineAct({
    fields: nothing,
    run: (_, ctx) =>
      withMember(ctx, async (memberId) => {
        const eraseAt = await closeMember(ctx.services, ctx.by, { memberId, site: ctx.site });
        if (!eraseAt) return refuseAct(table.ours["no-account"]);
        return {
          ok: true,
          message: `The account is closed, and erased on ${formatDate(eraseAt)}. Until then the link in the member's email opens it.`,
        };
      }),
  }),

  "sign-up-verification": defineAct({
    fields: nothing,
    async run(_, { services, by, subject }) {
      const draftId = toCount(subject);
      if (draftId === undefined) return refuseAct(table.ours["no-sign-up"]);
      const result = await resendVerification(services, by, draftId);
      return result.ok ? { ok: true, message: "A new code and link are on their way." } : refuseEmail(result);
    },
  }),
};

const nameSentences = {
  "first-name-missing": person.spec["first-name-missing"],
  "last-name-missing": person.spec["last-name-missing"],
  "first-name-long": person.ours["name-long"],
  "last-name-long": person.ours["name-long"],
};

function refuseAddress(result: Extract<AddressResult, { ok: false }> | TooMany): ActResult {
  switch (result.reason) {
    case "email-invalid":
    case "email-registered":
      return refuseAct(person.spec[result.reason], "email");
    case "email-same":
      return refuseAct(table.ours["email-same"], "email");
    case "no-account":
      return refuseAct(table.ours["no-account"]);
    case "too-many-attempts":
      return refuseAct(tooMany(result.waitInMs));
  }
}
