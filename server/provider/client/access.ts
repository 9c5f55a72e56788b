import { after, HOUR_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import type { Access } from "../../money/membership/membership.ts";
import { toInstant } from "../wire-fields.ts";
import { toTypedProfile } from "../wire.ts";
import { catchProviderError } from "./answers.ts";
import type { KnownAccess, ProviderContext } from "./context.ts";
import { callForMember, findActingSession, getMemory } from "./tokens.ts";

/** Whether a subscription is active at the provider, and its end if known; cached. */

const FRESH_FOR_MS = 30 * SECOND_IN_MS;
/** How long the last answer is used while the provider gives none. */
const HOLDS_FOR_MS = HOUR_IN_MS;
/** Names, address and the end of a subscription change seldom. */
const DETAILS_FOR_MS = HOUR_IN_MS;

const NO_TERM = { isActive: false, reason: "no-term" } as const;

/** After a change: the next question goes to the provider, and every session proves its token again. */
export function forgetAccess({ memory }: ProviderContext, memberId: number): void {
  memory.delete(memberId);
}

/** For a session, asks again with its own token unless the provider accepted that one lately. */
export async function findAccess(ctx: ProviderContext, memberId: number): Promise<Access> {
  const now = ctx.clock();
  const { access: known, acceptedAt, restsUntil, asking } = getMemory(ctx, memberId);
  const session = findActingSession(ctx, memberId);
  const isAccepted = session === undefined || isFresh(acceptedAt.get(session), now);
  if (known && isAccepted && isFresh(known.checkedAt, now)) return toAccess(known, now);
  if (restsUntil && now < restsUntil) return toHeldAccess(known, now);
  const underWay = asking.get(session);
  if (underWay) return underWay;
  const work = ask(ctx, memberId, known).finally(() => asking.delete(session));
  asking.set(session, work);
  return work;
}

async function ask(ctx: ProviderContext, memberId: number, known: KnownAccess | undefined): Promise<Access> {
  const question = callForMember(ctx, "getsubscriptionstatus", { input: { id: memberId } });
  const outcome = await catchProviderError(question, () => undefined);
  if (!outcome?.ok) {
    if (outcome?.status === 401) return NO_TERM;
    getMemory(ctx, memberId).restsUntil = after(ctx.clock(), FRESH_FOR_MS);
    return toHeldAccess(known, ctx.clock());
  }
  const isActive = outcome.answer;
  const checkedAt = ctx.clock();
  const hasDetails = known && checkedAt < after(known.detailsAt, DETAILS_FOR_MS) && known.isActive === isActive;
  const { endsAt, detailsAt } = hasDetails ? known : { endsAt: await askEnd(ctx, memberId), detailsAt: checkedAt };
  const access = { isActive, checkedAt, endsAt, detailsAt };
  getMemory(ctx, memberId).access = access;
  return toAccess(access, checkedAt);
}

/** Without details a member still sees the content. */
async function askEnd(ctx: ProviderContext, memberId: number): Promise<Date | undefined> {
  const question = callForMember(ctx, "getcurrentuser", { input: { id: memberId } });
  const outcome = await catchProviderError(question, () => undefined);
  if (!outcome?.ok) return undefined;
  const [{ subscription_ends_at, ...person }] = outcome.answer;
  const { email, ...names } = toTypedProfile(person);
  if (email) await ctx.mirror.remember({ id: memberId, email, ...names });
  return toInstant(subscription_ends_at);
}

function isFresh(at: Date | undefined, now: Date): boolean {
  return at !== undefined && now < after(at, FRESH_FOR_MS);
}

/** A past date may be outdated: the provider decides what is active. */
function toAccess({ isActive, endsAt }: KnownAccess, now: Date): Access {
  if (!isActive) return NO_TERM;
  return endsAt && endsAt > now ? { isActive: true, endsAt } : { isActive: true };
}

function toHeldAccess(known: KnownAccess | undefined, now: Date): Access {
  if (known && now < after(known.checkedAt, HOLDS_FOR_MS)) return toAccess(known, now);
  return { isActive: false, reason: "unavailable" };
}
