import type { GiftQuestion } from "../../money/gifts/states.ts";
import type { MemberSeat } from "../../money/companies/seats.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import { type Gap, gaps } from "../../content/items/item-facts.ts";
import { formatDate, formatDateTime, formatPenceInFull } from "../../platform/format.ts";
import type { Services } from "../../services.ts";
import { findingText, readOtherHealth } from "./health.ts";

export type Waiting = {
  /** `now`: money, emails and companies; `soon`: it will change on its own; `later`: it does no harm. */
  urgency: Urgency;
  /** A sentence without its full stop. */
  what: string;
  why?: string | undefined;
  about: WaitingSubject;
};

export type Urgency = "now" | "soon" | "later";

export type WaitingSubject =
  | { order: number; member: number | undefined }
  /** `isGone`: its text is erased, so it cannot be sent again. */
  | { email: number; isGone: boolean }
  | { gift: number; question: GiftQuestion; receipt: string }
  | { webhook: string; id: string }
  | { company: number; contact: string }
  | { code: string; company: number | undefined }
  /** Members whose access ends this week, of one company or of all without one. */
  | { endings: number | undefined }
  | { gap: Gap }
  | { part: string };

export type WaitingSort = { sort: Sort; listed: Waiting[]; hasMore: boolean };

export type Sort =
  | "refunds"
  | "gifts"
  | "emails"
  | "webhooks"
  | "companies"
  | "codes"
  | "endings"
  | "health"
  | "content";

const urgencies = ["now", "soon", "later"] satisfies Urgency[];

function byUrgency(a: Waiting, b: Waiting): number {
  return urgencies.indexOf(a.urgency) - urgencies.indexOf(b.urgency);
}

const MOST_LISTED = 5;
/** One more, to know whether there are others. */
const READ = MOST_LISTED + 1;

const WEEK_IN_MS = 7 * DAY_IN_MS;

/** By sort. Each is found by an index or in memory, however many members there are. */
export async function listWaiting(services: Services): Promise<WaitingSort[]> {
  const sorts: [Sort, Promise<Waiting[]>][] = [
    ["refunds", listRefunds(services)],
    ["gifts", listGifts(services)],
    ["emails", listEmails(services)],
    ["webhooks", listWebhooks(services)],
    ["companies", listCompanies(services)],
    ["codes", listCodes(services)],
    ["endings", listEndings(services)],
    ["health", listFindings(services)],
    ["content", listGaps(services)],
  ];
  return Promise.all(
    sorts.map(async ([sort, listing]) => {
      const all = await listing;
      return { sort, listed: all.slice(0, MOST_LISTED), hasMore: all.length > MOST_LISTED };
    }),
  );
}

async function listRefunds({ payments, dashboards }: Services): Promise<Waiting[]> {
  const stuck = await payments.listStuck();
  return stuck.map(({ orderId, amountInPence, memberId, receiptNumber }) => ({
    urgency: "now" as const,
    what: `Refund stuck: ${formatPenceInFull(amountInPence)}, ${receiptNumber ? `receipt ${receiptNumber}` : `order ${orderId}`}`,
    why: `Check it at ${dashboards.cards?.title ?? "the card gateway"} and refund it there.`,
    about: { order: orderId, member: memberId },
  }));
}

const TERM_RUNS = "Its term still runs. End it, or leave it.";

/** Those that were never taken up, and those that were and whose money went back. */
async function listGifts({ gifts }: Services): Promise<Waiting[]> {
  const questioned = await gifts.listQuestions(READ);
  return questioned
    .flatMap(({ id, question, order, expiresAt }) => {
      if (question === undefined) return [];
      const receipt = order?.receiptNumber ?? `order ${order?.id}`;
      const [what, why] = {
        "never-taken-up": [`Gift never taken up: receipt ${receipt}`, `It ended on ${formatDate(expiresAt)}.`],
        refunded: [`Gift refunded after it was taken up: receipt ${receipt}`, TERM_RUNS],
        disputed: [`Dispute lost on a gift that was taken up: receipt ${receipt}`, TERM_RUNS],
      }[question] as [string, string];
      const urgency: Urgency = question === "never-taken-up" ? "later" : "now";
      return [{ urgency, what, why, about: { gift: id, question, receipt } }];
    })
    .toSorted(byUrgency);
}

/** Of the latest, those that are not acknowledged. */
const EMAILS_READ = 100;

async function listEmails({ outbox }: Services): Promise<Waiting[]> {
  const { emails } = await outbox.listPage({ state: "failed", limit: EMAILS_READ });
  return emails
    .filter(({ acknowledgedAt }) => acknowledgedAt === undefined)
    .map(({ id, kind, to, failedAt, lastError, failure, isSecret }) => ({
      urgency: failure === "refused-unproved" ? ("soon" as const) : ("now" as const),
      what: `The email “${kind.replaceAll("-", " ")}” to ${to} didn't arrive`,
      why: [failedAt && `We stopped trying on ${formatDateTime(failedAt)}`, lastError].filter(Boolean).join(": "),
      about: { email: id, isGone: isSecret },
    }));
}

async function listWebhooks({ webhooks }: Services): Promise<Waiting[]> {
  const failed = await webhooks.listFailed();
  return failed
    .map(({ gateway, id, kind, receivedAt, nextTryAt }) => ({
      urgency: nextTryAt ? ("soon" as const) : ("now" as const),
      what: `Webhook event ${id} (${kind}) failed`,
      why: `It arrived on ${formatDateTime(receivedAt)}. ${nextTryAt ? "We'll try again automatically." : "We've stopped trying."}`,
      about: { webhook: `${gateway} ${id}`, id },
    }))
    .toSorted(byUrgency);
}

/** Companies that have not agreed, or whose payment failed; not those whose code an operator has ended. */
async function listCompanies({ companies }: Services): Promise<Waiting[]> {
  const found: Waiting[] = [];
  for (const { id, name, state, contactEmail, createdAt, graceEndsAt } of await companies.list("stalled")) {
    if (state === "live") continue;
    const until = graceEndsAt ? ` Its code works until ${formatDate(graceEndsAt)}.` : "";
    const words = {
      "setting-up": [
        "hasn't set up its Direct Debit",
        `Added on ${formatDate(createdAt)}. Its code works once that's done.`,
      ],
      grace: ["hasn't paid", `A collection or its Direct Debit failed.${until}`],
      stopped: ["has stopped paying", "No one can join with its code."],
    }[state];
    found.push({
      urgency: state === "setting-up" ? "soon" : "now",
      what: `${name} ${words[0]}`,
      why: words[1],
      about: { company: id, contact: contactEmail },
    });
  }
  return found.toSorted(byUrgency);
}

async function listCodes({ codes }: Services): Promise<Waiting[]> {
  const found = await codes.listOpenPage({ state: "nearly-full", limit: READ });
  return found.map(({ code, seats, seatsTaken, company }) => ({
    urgency: seatsTaken >= seats ? ("now" as const) : ("soon" as const),
    what: `${code} has ${seatsTaken >= seats ? "no seats left" : `${seats - seatsTaken} of ${seats} seats left`}`,
    why: company && `It's the code of ${company.name}.`,
    about: { code, company: company?.id },
  }));
}

/** The rest is not counted. */
const MOST_ENDINGS = 10_000;
const SEATS_AT_ONCE = 500;

/** Members whose access ends within a week, counted by company. */
async function listEndings({ membership, codes, capabilities, clock }: Services): Promise<Waiting[]> {
  // A provider counts its own members.
  if (!capabilities.holdsAll) return [];
  const span = { from: clock(), to: after(clock(), WEEK_IN_MS) };
  const endings = await membership.listEndings({ span, limit: MOST_ENDINGS });
  const counts = new Map<number | undefined, { company: MemberSeat["company"]; count: number }>();
  for (let start = 0; start < endings.length; start += SEATS_AT_ONCE) {
    const ids = endings.slice(start, start + SEATS_AT_ONCE).map(({ memberId }) => memberId);
    const seats = await codes.findSeatsFor(ids);
    for (const id of ids) {
      const company = seats.get(id)?.company;
      counts.set(company?.id, { company, count: (counts.get(company?.id)?.count ?? 0) + 1 });
    }
  }
  return [...counts.values()]
    .toSorted((a, b) => b.count - a.count)
    .map(({ company, count }) => ({
      urgency: "later" as const,
      what: `${count.toLocaleString("en-GB")} ${count === 1 ? "member" : "members"} ${company ? `of ${company.name}` : "without a company"} ${count === 1 ? "loses" : "lose"} access this week`,
      why: `By ${formatDate(span.to)}, unless they renew. We've emailed them.`,
      about: { endings: company?.id },
    }));
}

async function listFindings(services: Services): Promise<Waiting[]> {
  const findings = await readOtherHealth(services);
  return findings
    .filter(({ state }) => state !== "ok")
    .map((finding) => ({
      urgency: finding.state === "wrong" ? ("now" as const) : ("soon" as const),
      what: findingText(finding, "desk").replace(/\.$/, ""),
      about: { part: finding.part },
    }))
    .toSorted(byUrgency);
}

const gapWords: Record<Gap, [one: string, many: string]> = {
  transcript: ["item has no transcript", "items have no transcript"],
  picture: ["item has no picture of its own", "items have no picture of their own"],
  author: ["item has no author", "items have no author"],
  review: ["item is due for a review", "items are due for a review"],
  links: ["item has a dead link", "items have dead links"],
};

async function listGaps({ catalogue }: Services): Promise<Waiting[]> {
  const counts = await catalogue.editorial.countGaps();
  return gaps.flatMap((gap) => {
    const count = counts[gap];
    const [one, many] = gapWords[gap];
    const what = `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;
    return count === 0 ? [] : [{ urgency: "later" as const, what, about: { gap } }];
  });
}
