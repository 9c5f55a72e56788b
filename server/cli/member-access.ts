import type { Member } from "../accounts/accounts.ts";
import { after } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { addMonths, type Plan, plans, type PlanType, sayMonths } from "../membership/plans.ts";
import type { Services } from "../services.ts";
import { RENEWAL_LINK_LIFE_IN_MS } from "../sign-up/renewal.ts";
import { type Answer, type Command, readChoice, refuse } from "./command.ts";
import { MEMBER_WORD, type MemberWork, nameOf, withMember } from "./command-context.ts";
import { printFacts, printInstant } from "./print.ts";

const ACTIVATE = "member activate";
const DEACTIVATE = "member deactivate";
/** The audited actions that take access and seat away: our own command, and the API's call. */
const endingActions = new Set([DEACTIVATE, "subscription end"]);
/** The plan of a term when `--months` is not given. */
const DEFAULT_PLAN: PlanType = 3;
/** The values of `--months`. */
const choices = Object.values(plans).map(({ months }) => String(months));

export const activate: Command = {
  summary: "give a member access: lift a revocation if one runs, else add a term",
  words: [MEMBER_WORD],
  options: {
    months: {
      value: choices.join("|"),
      help: `how long a term to add, behind what runs already; ${plans[DEFAULT_PLAN].months} if not given`,
    },
  },
  example: "member activate ada@example.org --months 3",
  run(input) {
    const months = readChoice(input, "months", choices);
    const plan = Object.values(plans).find((each) => String(each.months) === months);
    return withMember((ctx) => activateMember(ctx, plan))(input);
  },
};

export const deactivate: Command = {
  summary: "end a member's access now, log them out everywhere, and free their seat",
  words: [MEMBER_WORD],
  example: "member deactivate ada@example.org",
  run: withMember(async ({ services, operator, member }) => {
    const seat = (await services.codes.listSeatsFor(member.id))[0]?.code;
    const done = await services.transact(async (trx) => {
      const isRevoked = await services.membership.revoke(member.id, trx);
      const sessions = await services.sessions.endAll(member.id, trx);
      await services.codes.releaseSeat(member.id, trx);
      const facts = { isRevoked, sessions, seat: seat ?? null };
      const action = { operator, action: DEACTIVATE, memberId: member.id, facts };
      if (isRevoked || sessions > 0 || seat !== undefined) await services.audit.record(action, trx);
      return facts;
    });
    if (!done.isRevoked && done.sessions === 0 && !seat) {
      return refuse(`${nameOf(member)} has no access, no seat, and is logged in nowhere: there is nothing to end.`);
    }
    const text = [
      done.isRevoked ? `${nameOf(member)} has no access any more.` : `${nameOf(member)} had no access.`,
      `Sessions ended: ${done.sessions}. Seat freed: ${seat ?? "none"}.`,
    ].join("\n");
    return { ok: true, text, json: { memberId: member.id, email: member.email, ...done } };
  }),
};

export const renewalLink: Command = {
  summary: "print the link that opens step 2 for a member, as the emails before the end do",
  words: [MEMBER_WORD],
  example: "member renewal-link ada@example.org",
  run: withMember(async ({ services, operator, member }) => {
    const url = `${services.site}signup?renew=${services.renewalLinks.make(member.id)}`;
    const expiresAt = after(services.clock(), RENEWAL_LINK_LIFE_IN_MS);
    await services.audit.record({ operator, action: "member renewal-link", memberId: member.id, facts: {} });
    const text = printFacts([
      ["Member", nameOf(member)],
      ["Link", url],
      ["It works until", printInstant(expiresAt)],
    ]);
    return { ok: true, text, json: { memberId: member.id, email: member.email, url, expiresAt } };
  }),
};

async function activateMember(
  { services, operator, member }: Parameters<MemberWork>[0],
  plan: Plan | undefined,
): Promise<Answer> {
  const freed = await findFreedSeat(services, member.id);
  const change = await services.transact(async (trx) => {
    const isRestored = await services.membership.restore(member.id, trx);
    if (!isRestored && !plan && (await services.membership.findCoverEnd(member.id, trx))) return undefined;
    const added = isRestored ? undefined : (plan ?? plans[DEFAULT_PLAN]);
    if (added) await grant({ services, member, plan: added }, trx);
    // Access is restored even if another member has the seat by now.
    const isSeated =
      isRestored && freed && (await services.codes.takeSeat({ code: freed, memberId: member.id }, trx)).isValid;
    const facts = {
      change: isRestored ? "restored" : "granted",
      months: added?.months ?? null,
      seat: isSeated ? freed : null,
    };
    await services.audit.record({ operator, action: ACTIVATE, memberId: member.id, facts }, trx);
    return facts;
  });
  const endsAt = await services.membership.findCoverEnd(member.id);
  if (!change) {
    return refuse(
      `${nameOf(member)} has access until ${printInstant(endsAt)} already: --months adds a term behind that.`,
    );
  }
  const how =
    change.months === null ? "The revocation was lifted." : `A term of ${sayMonths(change.months)} was added.`;
  const seat =
    freed && change.months === null ? [change.seat ? `Seat: ${freed}.` : `No seat of ${freed} was to be had.`] : [];
  const text = [`${nameOf(member)} has access until ${printInstant(endsAt)}.`, how, ...seat].join("\n");
  return { ok: true, text, json: { memberId: member.id, email: member.email, ...change, endsAt } };
}

/** The code whose seat the member lost, here or over the API, since they were last activated. A second ending takes no seat. */
async function findFreedSeat({ audit }: Services, memberId: number): Promise<string | undefined> {
  const entries = await audit.listFor(memberId);
  const activated = entries.findIndex(({ action }) => action === ACTIVATE);
  const since = activated === -1 ? entries : entries.slice(0, activated);
  const seats = since.filter(({ action }) => endingActions.has(action)).map(({ facts }) => facts.seat);
  return seats.find((seat) => typeof seat === "string");
}

/** Adds a term after the current one, like any other renewal. */
async function grant(
  { services, member, plan }: { services: Services; member: Member; plan: Plan },
  trx: Queries,
): Promise<void> {
  const startsAt = (await services.membership.findCoverEnd(member.id, trx)) ?? services.clock();
  const endsAt = addMonths(startsAt, plan.months);
  await services.membership.grant({ memberId: member.id, planType: plan.type, startsAt, endsAt }, trx);
}
