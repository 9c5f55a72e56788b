import type { MemberMirror } from "../../accounts/member-mirror.ts";
import { after, type Clock, HOUR_IN_MS, SECOND_IN_MS } from "../../clock.ts";
import type { Access } from "../../membership/membership.ts";
import { toInstant } from "./answers.ts";
import { ProviderError } from "./line.ts";
import { type ActingSession, type CallForMember, createMemory, type TakenTokens } from "./tokens.ts";

/** How members stand with the provider, asked for seldom: whether a subscription runs, and until when if that is told. */
export type ProviderAccess = {
  /** For a session it is asked again, with its own token, where the provider has not taken that one lately. */
  find(memberId: number): Promise<Access>;
  /** Something has happened: the next one who asks is told what is so by now. */
  forget(memberId: number): void;
};

type AccessParts = {
  call: CallForMember;
  mirror: MemberMirror;
  clock: Clock;
  acting: ActingSession;
  taken: TakenTokens;
};

const FRESH_FOR_MS = 30 * SECOND_IN_MS;
/** How long the last good answer holds while the provider gives none. */
const HOLDS_FOR_MS = HOUR_IN_MS;
/** What is told beside it, and changes seldom: names, address, when a subscription ends. */
const DETAILS_FOR_MS = HOUR_IN_MS;

type Known = { isActive: boolean; endsAt: Date | undefined; askedAt: Date; detailsAt: Date | undefined };

export function createProviderAccess(parts: AccessParts): ProviderAccess {
  const { call, clock, acting, taken } = parts;
  const memory = createMemory<Known>();
  const resting = createMemory<Date>();
  /** By member, or by the session whose token is looked at: another's answer says nothing of that. */
  const asking = new Map<number | string, Promise<Access>>();

  async function find(memberId: number): Promise<Access> {
    const now = clock();
    const known = memory.get(memberId);
    const sessionHash = acting.findHash(memberId);
    const isTaken = sessionHash === undefined || isFresh(taken.findTime({ memberId, sessionHash }), now);
    if (known && isTaken && isFresh(known.askedAt, now)) return toAccess(known, now);
    const restsUntil = resting.get(memberId);
    if (restsUntil && now < restsUntil) return toHeldAccess(known, now);
    const asker = sessionHash ?? memberId;
    const under = asking.get(asker);
    if (under) return under;
    const work = ask(memberId, known).finally(() => asking.delete(asker));
    asking.set(asker, work);
    return work;
  }

  async function ask(memberId: number, known: Known | undefined): Promise<Access> {
    try {
      const outcome = await call("getsubscriptionstatus", { id: memberId }, { memberId });
      if (outcome.ok) return await note(memberId, { isActive: outcome.answer, known });
      if (outcome.status === 401) return { isActive: false };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
    }
    resting.set(memberId, after(clock(), FRESH_FOR_MS));
    return toHeldAccess(known, clock());
  }

  async function note(memberId: number, { isActive, known }: { isActive: boolean; known: Known | undefined }) {
    const askedAt = clock();
    const isKnown = known?.detailsAt && askedAt < after(known.detailsAt, DETAILS_FOR_MS) && known.isActive === isActive;
    const details = isKnown ? known : await askDetails(memberId, parts);
    const noted = { isActive, askedAt, endsAt: details.endsAt, detailsAt: details.detailsAt };
    memory.set(memberId, noted);
    return toAccess(noted, askedAt);
  }

  return {
    find,
    forget(memberId) {
      memory.delete(memberId);
      taken.forget(memberId);
      resting.delete(memberId);
    },
  };
}

/** What else a provider tells of a member. Without it they see their content all the same. */
async function askDetails(
  memberId: number,
  { call, mirror, clock }: Pick<AccessParts, "call" | "mirror" | "clock">,
): Promise<Pick<Known, "endsAt" | "detailsAt">> {
  const detailsAt = clock();
  try {
    const outcome = await call("getcurrentuser", { id: memberId }, { memberId });
    if (!outcome.ok) return { endsAt: undefined, detailsAt };
    const [{ first_name, last_name, email, subscription_ends_at: end }] = outcome.answer;
    if (email) {
      const names = { firstName: first_name ?? undefined, lastName: last_name ?? undefined };
      await mirror.remember({ id: memberId, email, ...names });
    }
    return { endsAt: toInstant(end), detailsAt };
  } catch (error) {
    if (error instanceof ProviderError) return { endsAt: undefined, detailsAt };
    throw error;
  }
}

function isFresh(at: Date | undefined, now: Date): boolean {
  return at !== undefined && now < after(at, FRESH_FOR_MS);
}

/** A date that is past may be an old one: it is the provider who says what runs. */
function toAccess({ isActive, endsAt }: Known, now: Date): Access {
  if (!isActive) return { isActive: false };
  return endsAt && endsAt > now ? { isActive: true, endsAt } : { isActive: true };
}

function toHeldAccess(known: Known | undefined, now: Date): Access {
  if (known && now < after(known.askedAt, HOLDS_FOR_MS)) return toAccess(known, now);
  return { isActive: false, isUnknown: true };
}
