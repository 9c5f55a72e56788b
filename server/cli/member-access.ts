import { after } from "../clock.ts";
import { activateMember, deactivateMember, DEFAULT_PLAN } from "../desk/member-acts.ts";
import { listPlans, type Plan, plans, sayMonths } from "../membership/plans.ts";
import { RENEWAL_LINK_LIFE_IN_MS } from "../sign-up/renewal.ts";
import { type Answer, type Command, readChoice, refuse } from "./command.ts";
import { MEMBER_WORD, type MemberWork, nameOf, withMember } from "./command-context.ts";
import { printFacts, printInstant } from "./print.ts";

/** The values of `--months`. */
const choices = listPlans().map(({ months }) => String(months));

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
    const plan = listPlans().find((each) => String(each.months) === months);
    return withMember((ctx) => sayActivation(ctx, plan))(input);
  },
};

export const deactivate: Command = {
  summary: "end a member's access now, log them out everywhere, and free their seat",
  words: [MEMBER_WORD],
  example: "member deactivate ada@example.org",
  run: withMember(async ({ services, operator, member }) => {
    const done = await deactivateMember(services, { operator }, member.id);
    if (!done) {
      return refuse(`${nameOf(member)} has no access, no seat, and is logged in nowhere: there is nothing to end.`);
    }
    const text = [
      done.isRevoked ? `${nameOf(member)} has no access any more.` : `${nameOf(member)} had no access.`,
      `Sessions ended: ${done.sessions}. Seat freed: ${done.seat ?? "none"}.`,
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

async function sayActivation(
  { services, operator, member }: Parameters<MemberWork>[0],
  plan: Plan | undefined,
): Promise<Answer> {
  const { change, freed, endsAt } = await activateMember(services, { operator }, { memberId: member.id, plan });
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
