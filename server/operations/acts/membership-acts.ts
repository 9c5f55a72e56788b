import { after } from "../../platform/clock.ts";
import { printFacts, printInstant } from "./print.ts";
import type { Queries } from "../../platform/database/database.ts";
import { formatDate } from "../../platform/format.ts";
import type { HeldSubscription } from "../../money/membership/membership.ts";
import { findCover } from "../../money/membership/cover.ts";
import { listPlans, type Plan, plans, type PlanType, formatMonths } from "../../money/membership/plans.ts";
import { desk as table } from "../../refusals.ts";
import type { Services } from "../../services.ts";
import { RENEWAL_LINK_LIFE_IN_MS } from "../../money/sign-up/renewal.ts";
import { type ActContext, type ActResult, defineAct, refuseAct } from "./act.ts";
import { type Field, choiceField, flag } from "./fields.ts";

const DEFAULT_PLAN: PlanType = 3;

const months = listPlans().map((plan) => String(plan.months));
const monthsField = {
  label: "How long",
  schema: choiceField(months, table["plan-missing"]),
  value: "MONTHS",
  options: listPlans().map((plan) => ({ value: String(plan.months), label: plan.periodText })),
} satisfies Field<string>;

function findPlan(typed: string): Plan {
  return listPlans().find((plan) => String(plan.months) === typed) ?? plans[DEFAULT_PLAN];
}

export const membershipActs = {
  "member term": defineAct({
    subject: "member",
    fields: { months: monthsField },
    audit: "Added a free term",
    desk: {
      role: "support",
      title: "Add a free term",
      button: "Add it",
      pending: "Adding...",
      note: "It costs nothing, and starts when their current membership ends.",
    },
    command: {
      summary: "give a member a free term, which starts when their current membership ends",
      example: "member term ada@example.org --months 3",
    },
    run({ months: typed }, { services, subject: { id: memberId }, record }) {
      return services.transact(async (trx) => {
        const plan = findPlan(typed);
        const endsAt = await services.membership.extend({ memberId, plan }, trx);
        await record({ memberId, facts: { months: plan.months, endsAt: endsAt.toISOString() } }, trx);
        const message = `Free term added. It ends on ${formatDate(endsAt)}.`;
        return { ok: true, message, json: { months: plan.months, endsAt } };
      });
    },
  }),

  "member restore": defineAct({
    subject: "member",
    fields: {},
    audit: { as: "member activate" },
    desk: {
      role: "owner",
      title: "Restore access that was ended",
      button: "Restore access",
      pending: "Restoring...",
    },
    command: {
      summary: "restore access that an operator ended, with the seat if one is left",
      example: "member restore ada@example.org",
    },
    async run(_values, { services, subject: { id: memberId }, record }) {
      const freed = await findFreedSeat(services, memberId);
      const change = await services.transact(async (trx) => {
        const facts = await restore(services, { memberId, freed }, trx);
        if (facts) await record({ memberId, facts }, trx);
        return facts;
      });
      if (!change) return refuseAct(table["not-revoked"]);
      const lost = ` Code ${freed} has no seat left for them.`;
      const seat = freed ? (change.seat ? ` They have their seat on ${freed} again.` : lost) : "";
      return { ok: true, message: `Access restored.${seat}`, json: change };
    },
  }),

  "member activate": defineAct({
    subject: "member",
    fields: {
      months: {
        ...monthsField,
        schema: choiceField(months, table["plan-missing"]).optional(),
        hint: `Adds a term after the current one. Left out, it adds ${plans[DEFAULT_PLAN].months} if they have none.`,
        isOptional: true,
      },
    },
    audit: "Gave access",
    command: {
      summary: "give a member access: restore what an operator ended, or else add a term",
      example: "member activate ada@example.org --months 3",
    },
    run: (values, ctx) => activate(values.months === undefined ? undefined : findPlan(values.months), ctx),
  }),

  "member deactivate": defineAct({
    subject: "member",
    fields: {},
    audit: "Ended access",
    desk: {
      role: "owner",
      isEnding: true,
      title: "End access now",
      button: "End access",
      pending: "Ending...",
      note: "This also logs them out everywhere and frees their seat. We don't refund anything.",
    },
    command: {
      summary: "end a member's access now, log them out everywhere, and free their seat",
      example: "member deactivate ada@example.org",
    },
    async predict(_values, { services, subject: { id: memberId } }) {
      const { sentences } = await predictAccess(services, memberId, () => true);
      const sessions = (await services.sessions.list(memberId)).length;
      const [seat] = await services.codes.listSeatsFor(memberId);
      if (sentences.length === 0 && sessions === 0 && !seat) return refuseAct(table["nothing-to-end"]);
      return [
        ...sentences,
        ...(sessions > 0 ? [`They're logged out everywhere (${countText(sessions, "browser")}).`] : []),
        ...(seat ? [`Their seat on code ${seat.code} is free for someone else.`] : []),
        "We don't refund anything, and we don't email the member.",
      ];
    },
    async run(_values, { services, subject: { id: memberId }, record }) {
      const { codes, membership, sessions } = services;
      const seat = (await codes.listSeatsFor(memberId))[0]?.code ?? null;
      return services.transact(async (trx) => {
        const isRevoked = await membership.revoke(memberId, trx);
        const ended = await sessions.endAll(memberId, trx);
        await codes.releaseSeat(memberId, trx);
        if (!isRevoked && ended === 0 && seat === null) return refuseAct(table["nothing-to-end"]);
        const facts = { isRevoked, sessions: ended, seat };
        await record({ memberId, facts }, trx);
        const message = `Access ended. Sessions ended: ${ended}. Seat freed: ${seat ?? "none"}.`;
        return { ok: true, message, json: facts };
      });
    },
  }),

  "member renewal-link": defineAct({
    subject: "member",
    fields: {
      mail: {
        label: "Mail it",
        hint: "Email it to the member too.",
        schema: flag,
        isOptional: true,
        atDesk: "yes",
      },
    },
    audit: "Made a link to renew",
    desk: {
      role: "support",
      title: "Send a renewal link",
      button: "Send the link",
      pending: "Sending it...",
      note: "The member can choose a plan for this account with it. It doesn't log anyone in, and works for 70 days.",
    },
    command: {
      summary: "print a link with which a member can choose a plan, like the one in our emails",
      example: "member renewal-link ada@example.org --mail",
    },
    async run({ mail: isMailed }, { services, subject, site, record }) {
      if (await services.signUp.isPaidByCompany(subject.id)) return refuseAct(table["company-pays"]);
      const { clock, emails, renewalLinks, transact } = services;
      const url = `${site}signup?renew=${renewalLinks.make(subject.id)}`;
      const expiresAt = after(clock(), RENEWAL_LINK_LIFE_IN_MS);
      return transact(async (trx) => {
        if (isMailed) await emails.renewalLink({ member: subject, link: url, at: clock(), site }, trx);
        await record({ memberId: subject.id, facts: { isMailed } }, trx);
        const text = printFacts([
          ["Member", subject.email],
          ["Link", url],
          ["Works until", printInstant(expiresAt)],
          ["Emailed to", isMailed ? subject.email : undefined],
        ]);
        const message = `Link sent to ${subject.email}. It works until ${formatDate(expiresAt)}.`;
        return { ok: true, message, text, json: { url, expiresAt, isMailed } };
      });
    },
  }),
};

/** The effect on a member's access if some of their terms end now; no sentence without one. */
export async function predictAccess(
  { membership, clock }: Pick<Services, "membership" | "clock">,
  memberId: number,
  isEnded: (term: HeldSubscription) => boolean,
): Promise<{ sentences: string[]; hasMore: boolean }> {
  const now = clock();
  const terms = await membership.listFor(memberId);
  const before = findCover(terms, now);
  const spans = terms.map((term) => ({
    startsAt: term.startsAt,
    endsAt: term.endsAt,
    revokedAt: term.revokedAt ?? (isEnded(term) ? now : undefined),
  }));
  const later = findCover(spans, now);
  const hasMore = later.state === "active" || later.state === "waiting";
  const isSame = "endsAt" in before && "endsAt" in later && before.endsAt.getTime() === later.endsAt.getTime();
  const sentences = () => {
    if (later.state === "active") return isSame ? [] : [`They have access until ${formatDate(later.endsAt)}.`];
    const begins = later.state === "waiting" ? `, and starts again on ${formatDate(later.startsAt)}` : "";
    if (before.state === "active") return [`Their access ends now${begins}.`];
    return before.state === "waiting" && !isSame ? ["The term that hasn't started yet is cancelled."] : [];
  };
  return { sentences: sentences(), hasMore };
}

/** `1 browser`, `3 browsers`. */
function countText(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

type Activation = { change: "restored" | "granted"; months: number | null; seat: string | null };

/**
 * Restores revoked terms and takes the freed seat again if one is left; otherwise adds a term after the paid ones.
 * Without `plan` a member with access gets no further term.
 */
async function activate(
  plan: Plan | undefined,
  { services, subject: { id: memberId }, record }: ActContext<{ id: number }>,
): Promise<ActResult> {
  const freed = await findFreedSeat(services, memberId);
  const change = await services.transact(async (trx): Promise<Activation | undefined> => {
    const restored = await restore(services, { memberId, freed }, trx);
    if (!restored && !plan && (await services.membership.findCoverEnd(memberId, trx))) return undefined;
    const facts = restored ?? (await grant(services, { memberId, plan: plan ?? plans[DEFAULT_PLAN] }, trx));
    await record({ memberId, facts }, trx);
    return facts;
  });
  const endsAt = await services.membership.findCoverEnd(memberId);
  const until = `access until ${printInstant(endsAt)}`;
  if (!change) return refuseAct(`This member already has ${until}. Use --months to add a term after that.`);
  const { months: added } = change;
  const how = added === null ? "Access that was ended is restored." : `Added a term of ${formatMonths(added)}.`;
  const seat =
    freed && added === null ? (change.seat ? ` Seat: ${freed}.` : ` Code ${freed} has no seat left for them.`) : "";
  return { ok: true, message: `They have ${until}. ${how}${seat}`, json: { ...change, endsAt } };
}

/** Except those that were refunded. */
async function restore(
  { codes, membership, payments, gifts }: Services,
  { memberId, freed }: { memberId: number; freed: string | undefined },
  trx: Queries,
): Promise<Activation | undefined> {
  const listLost = async () => [
    ...(await payments.listGivenBack(memberId, trx)),
    ...(await gifts.listEndedOrders(memberId, trx)),
  ];
  if (!(await membership.restore(memberId, trx, listLost))) return undefined;
  // Access is restored even if another member has the seat by now.
  const isSeated = freed !== undefined && (await codes.takeSeat({ code: freed, memberId }, trx)).isValid;
  return { change: "restored", months: null, seat: isSeated ? freed : null };
}

async function grant(
  { membership }: Services,
  term: { memberId: number; plan: Plan },
  trx: Queries,
): Promise<Activation> {
  await membership.extend(term, trx);
  return { change: "granted", months: term.plan.months, seat: null };
}

/** The audit actions, of the act and of the API, that take away access and seat. */
const endings = new Set(["member deactivate", "subscription end"]);

/** The code whose seat the member lost since their last activation. A second ending takes no seat. */
async function findFreedSeat({ audit }: Services, memberId: number): Promise<string | undefined> {
  const entries = await audit.listFor(memberId);
  const activated = entries.findIndex(({ action }) => action === "member activate");
  const since = activated === -1 ? entries : entries.slice(0, activated);
  const seats = since.filter(({ action }) => endings.has(action)).map(({ facts }) => facts.seat);
  return seats.find((seat) => typeof seat === "string");
}
