import { toEmailKey } from "../accounts/rules.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import { networkOf, type RateLimiter, type TooMany } from "../rate-limit/rate-limit.ts";

/** How often sign-up may be tried (ASVS 2.4.1): enough for an office on its first morning, too little for a robot. */
export type Limits = {
  /** Step 1 from one network: it tells whether an address is registered and a code valid. */
  countDetails(address: string): Promise<Wait>;
  /** Letters to one address: nobody's inbox is filled through us. */
  countLetter(email: string): Promise<Wait>;
  /** Charges from one network and for one draft: stolen cards are tried out on pages like ours. */
  countPayment(address: string, draftId: number): Promise<Wait>;
};

type Wait = TooMany | undefined;

const limits = {
  details: { attempts: 120, windowInMs: HOUR_IN_MS },
  letters: { attempts: 6, windowInMs: HOUR_IN_MS },
  paymentsFromNetwork: { attempts: 60, windowInMs: HOUR_IN_MS },
  paymentsOfDraft: { attempts: 12, windowInMs: 15 * MINUTE_IN_MS },
};

export function createLimits({ rateLimiter }: { rateLimiter: RateLimiter }): Limits {
  return {
    countDetails: (address) => rateLimiter.count(`sign-up details ${networkOf(address)}`, limits.details),
    countLetter: (email) => rateLimiter.count(`sign-up letter ${toEmailKey(email)}`, limits.letters),
    countPayment: async (address, draftId) =>
      (await rateLimiter.count(`sign-up payment ${networkOf(address)}`, limits.paymentsFromNetwork)) ??
      (await rateLimiter.count(`sign-up payment of draft ${draftId}`, limits.paymentsOfDraft)),
  };
}
