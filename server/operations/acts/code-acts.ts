import type { CodeView } from "../../money/companies/code.ts";
import type { ExtensionRefusal, NewCodeRefusal } from "../../money/companies/codes.ts";
import { toCodeKey, worksText } from "../../money/companies/labels.ts";
import { printFacts, printInstant } from "./print.ts";
import type { Queries } from "../../platform/database/database.ts";
import { formatDate } from "../../platform/format.ts";
import { companies as table } from "../../refusals.ts";
import type { Services } from "../../services.ts";
import { type ActResult, defineAct, refuseAct } from "./act.ts";
import { optionalDay, optionalNumbers, optionalText, parseDay, wholeNumber } from "./fields.ts";
import { predictAccess } from "./membership-acts.ts";
import { toCount } from "../../platform/count.ts";

const seats = wholeNumber({ min: 1, max: 1_000_000, error: table["seats-invalid"] });

export const codeActs = {
  "code create": defineAct({
    subject: "none",
    fields: {
      seats: { label: "Seats", hint: "How many people can join with it.", schema: seats, value: "N" },
      code: {
        label: "Code",
        hint: "Letters, digits and hyphens. Leave it out and we'll make one up.",
        schema: optionalText,
        value: "X",
        isOptional: true,
      },
      starts: {
        label: "First day",
        hint: "Such as 31/01/2027. Otherwise today.",
        schema: optionalDay("first", table["day-invalid"]),
        value: "DATE",
        isOptional: true,
      },
      ends: {
        label: "Last day",
        hint: "Such as 31/12/2027. Otherwise it never ends.",
        schema: optionalDay("last", table["day-invalid"]),
        value: "DATE",
        isOptional: true,
      },
      products: {
        label: "Products",
        hint: "Product ids, separated by commas. Otherwise the usual membership.",
        schema: optionalNumbers(table["products-invalid"]),
        value: "IDS",
        isOptional: true,
        atDesk: "",
      },
    },
    audit: "Made a code",
    desk: {
      role: "owner",
      title: "Make a code",
      button: "Make the code",
      pending: "Making it...",
      note: "People who join with it pay nothing, and neither does a company. To make a company's code, add the company.",
    },
    command: {
      summary: "make a code that lets people join without paying",
      example: "code create --seats 20 --ends 31/12/2027",
    },
    run({ seats: count, code: typed, starts, ends, products }, { services, record }) {
      return services.transact(async (trx) => {
        const wanted = { seats: count, code: typed, startsAt: starts, endsAt: ends, products };
        const created = await services.codes.create(wanted, trx);
        if (!created.ok) return refuseFor(created.reason);
        const { code, seats: made } = created.code;
        await record({ facts: { code, seats: made } }, trx);
        return {
          ok: true,
          message: `Code ${code} is ready.`,
          made: { subject: "code", id: code },
          text: printCode(created.code),
          json: toCodeJson(created.code),
        };
      });
    },
  }),

  "code extend": defineAct({
    subject: "code",
    fields: {
      ends: {
        label: "Later last day",
        hint: "Such as 31/12/2027, or “for good”. Otherwise unchanged.",
        schema: optionalText.transform((text, ctx) => {
          if (text === undefined || text.trim() === "") return undefined;
          if (text.trim().toLowerCase() === "for good") return "for-good";
          const day = parseDay(text.trim(), "last");
          if (day === undefined) ctx.addIssue(table["day-invalid"]);
          return day;
        }),
        value: "DATE",
        isOptional: true,
      },
      seats: {
        label: "Seats",
        hint: "The new total. Otherwise unchanged.",
        schema: seats.optional(),
        value: "N",
        isOptional: true,
      },
    },
    audit: "Extended a code",
    desk: { role: "owner", title: "Extend the code", button: "Extend it", pending: "Extending it..." },
    command: {
      summary: "give a code a later last day, or more seats if it isn't a company's",
      example: "code extend DORMOUSE-7KQX-M4VD --ends 31/12/2027",
    },
    run({ ends, seats: more }, { services, subject: { code }, record }) {
      return services.transact(async (trx) => {
        const extended = await services.codes.extend({ code, endsAt: ends, seats: more }, trx);
        if (!extended.ok) return refuseFor(extended.reason);
        const { seats: all, seatsTaken, endsAt } = extended.code;
        await record({ facts: { code, seats: all, endsAt: endsAt?.toISOString() ?? "for good" } }, trx);
        const until = endsAt ? formatDate(endsAt) : "you end it";
        const message = `Extended. It works until ${until}. Seats taken: ${seatsTaken} of ${all}.`;
        return { ok: true, message, json: toCodeJson(extended.code) };
      });
    },
  }),

  "code revoke": defineAct({
    subject: "code",
    fields: {},
    audit: "Ended a code",
    desk: {
      role: "support",
      isEnding: true,
      title: "End the code",
      button: "End it",
      pending: "Ending it...",
      note: "No one else can join with it. Members who have joined keep their membership.",
    },
    command: {
      summary: "end a code: no one else can join with it, and members who have joined keep their membership",
      example: "code revoke DORMOUSE-7KQX-M4VD",
    },
    async predict(_values, { subject: { code, revokedAt, seatsTaken } }) {
      if (revokedAt) return refuseAct(table["code-revoked"]);
      const stay =
        seatsTaken === 1
          ? "The member who joined with it keeps their membership."
          : `The ${seatsTaken} members who joined with it keep their membership.`;
      return [`No one else can join with ${code}. You can't undo this.`, seatsTaken === 0 ? "No seat is taken." : stay];
    },
    run(_values, { services: { codes, transact }, subject, record }) {
      return transact(async (trx) => {
        if (!(await codes.revoke(subject.code, trx))) return refuseAct(table["code-revoked"]);
        await record({ facts: { code: subject.code } }, trx);
        const message = "Ended. No one else can join with this code. Members who have joined keep their membership.";
        const ended = await codes.findView(subject.code, trx);
        return { ok: true, message, ...(ended && { json: toCodeJson(ended) }) };
      });
    },
  }),

  /**
   * Frees a member's seat and ends the terms that orders by this code paid for; terms of other orders stay. A member
   * left without access gets the email at the end of a membership, with a link to continue at their own expense.
   */
  "code free-seat": defineAct({
    subject: "code",
    item: { option: "member", value: "ID", help: "the number of the member, as `code show` lists it" },
    fields: {},
    audit: { as: "code seat freed" },
    desk: {
      role: "support",
      isEnding: true,
      title: "Free the seat of {member}",
      button: "Free the seat",
      pending: "Freeing it...",
      note: "The term that this code paid for ends now. We email the member, who can renew and pay for themselves.",
    },
    command: {
      summary: "free a member's seat on a code, and end the term that the code paid for",
      example: "code free-seat DORMOUSE-7KQX-M4VD --member 12",
      note: "A member who loses access gets an email with a link to renew and pay for themselves.",
    },
    async predict(_values, { services, subject: { code }, item }) {
      const memberId = toCount(item) ?? 0;
      const held = await services.codes.listSeatsFor(memberId);
      if (!held.some((seat) => toCodeKey(seat.code) === toCodeKey(code))) return refuseAct(table["no-seat"]);
      const paid = await listOrdersBy(services, { code, memberId });
      const { sentences, hasMore } = await predictAccess(services, memberId, ({ orderId }) =>
        paid.some((order) => order.orderId === orderId),
      );
      return [
        "The seat is free for someone else.",
        ...(sentences.length > 0 ? sentences : ["Their access doesn't change."]),
        ...(sentences.length > 0 && !hasMore ? ["We email the member, who can renew and pay for themselves."] : []),
      ];
    },
    async run(_values, { services, subject: { code }, item, site, record }) {
      const memberId = toCount(item) ?? 0;
      const { codes, membership, transact } = services;
      return transact(async (trx) => {
        // Lock terms before seats, as joining and the job for ended terms do.
        await membership.findCoverEnd(memberId, trx);
        if (!(await codes.freeSeat({ code, memberId }, trx))) return refuseAct(table["no-seat"]);
        const ended = await endTerms(services, { code, memberId }, trx);
        const end = { memberId, orderId: ended.at(-1), site };
        const isTold = ended.length > 0 && (await emailMember(services, end, trx));
        await record({ memberId, facts: { code, terms: ended.length } }, trx);
        const rest =
          ended.length === 0 ? "This code hadn't paid for a term, so nothing ended." : "The member still has access.";
        const notifiedText = "We've emailed the member a link to renew and pay for themselves.";
        const json = { code, memberId, terms: ended.length, isTold };
        return { ok: true, message: `The seat is free. ${isTold ? notifiedText : rest}`, json };
      });
    },
  }),
};

/** A refusal without a field is about the whole. */
const fieldFor: Partial<Record<NewCodeRefusal | ExtensionRefusal, string>> = {
  "code-malformed": "code",
  "code-taken": "code",
  "seats-invalid": "seats",
  "seats-fewer": "seats",
  "company-seats": "seats",
  "dates-invalid": "ends",
  "end-earlier": "ends",
  "products-invalid": "products",
};

function refuseFor(reason: NewCodeRefusal | ExtensionRefusal): ActResult {
  const sentence = reason === "unknown" || reason === "revoked" ? table[`code-${reason}`] : table[reason];
  return refuseAct(sentence, fieldFor[reason]);
}

async function listOrdersBy(
  { payments }: Services,
  { code, memberId }: { code: string; memberId: number },
  trx?: Queries,
) {
  const orders = await payments.listCodeOrders(memberId, trx);
  return orders.filter((order) => toCodeKey(order.code) === toCodeKey(code));
}

/** Ends current and future terms of a code's orders; returns those orders. */
async function endTerms(services: Services, seat: { code: string; memberId: number }, trx: Queries): Promise<number[]> {
  const ended: number[] = [];
  for (const order of await listOrdersBy(services, seat, trx)) {
    if (await services.membership.revokeOrder(order.orderId, trx)) ended.push(order.orderId);
  }
  return ended;
}

/** The member may continue as an individual: the email does not offer the code again. */
async function emailMember(
  { membership, accounts, emails, renewalLinks, clock }: Services,
  { memberId, orderId, site }: { memberId: number; orderId: number | undefined; site: string },
  trx: Queries,
): Promise<boolean> {
  const member = await accounts.findMember(memberId, trx);
  if (!member || (await membership.findCoverEnd(memberId, trx))) return false;
  const ended = (await membership.listFor(memberId, trx)).find((term) => term.orderId === orderId);
  if (!ended) return false;
  await accounts.setAccountType(memberId, "individual", trx);
  const link = `${site}signup?renew=${renewalLinks.make(memberId)}`;
  await emails.membershipEnded({ subscriptionId: ended.id, member, endsAt: clock(), link, site }, trx);
  return true;
}

export function printCode(code: CodeView): string {
  return printFacts([
    ["Code", code.code],
    ["Works now", worksText(code.fault)],
    ["Seats taken", `${code.seatsTaken} of ${code.seats}`],
    ["From", printInstant(code.startsAt)],
    ["Until", printInstant(code.endsAt) ?? "for good"],
    ["Products", code.products.join(", ")],
    ["Company", code.company?.name],
    ["Ended", printInstant(code.revokedAt)],
  ]);
}

export function toCodeJson({ code, fault, seats: all, seatsTaken, startsAt, endsAt, revokedAt, ...rest }: CodeView) {
  const { createdAt, products, company } = rest;
  const isValid = fault === undefined;
  return { code, isValid, fault, seats: all, seatsTaken, startsAt, endsAt, revokedAt, createdAt, products, company };
}
