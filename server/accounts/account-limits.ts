import { HOUR_IN_MS, MINUTE_IN_MS, type Clock } from "../clock.ts";
import { networkOf, tooMany, type Throttle, type TooMany } from "../throttle/throttle.ts";
import { toEmailKey } from "./rules.ts";

/** How often letters and codes of an account may be asked for and tried (ASVS 2.4.1), alike for addresses that nobody has. */
export type AccountLimits = {
  /**
   * Reset letters to one address, and requests from one network. Who fills an inbox through us is stopped; its owner, who asks
   * from elsewhere, still gets a letter.
   */
  countResetRequest(from: From): Promise<TooMany | undefined>;
  /** Codes tried at one address, over all letters to it, and from one network. The letter's link is not counted. */
  countResetAnswer(from: From): Promise<TooMany | undefined>;
  /** New addresses that one member asks for: whether one is registered is told to whoever asks. */
  countNewAddress(memberId: number): Promise<TooMany | undefined>;
  /** Letters to an address that a member says is theirs. */
  countAddressLetter(email: string): Promise<TooMany | undefined>;
};

type From = { email: string; address: string };

const limits = {
  requests: { attempts: 60, windowInMs: HOUR_IN_MS },
  letters: { attempts: 6, windowInMs: HOUR_IN_MS },
  /** For a network once an address has had its letters. */
  lettersUnderAttack: 2,
  answersFromNetwork: { attempts: 60, windowInMs: 15 * MINUTE_IN_MS },
  /** Six letters with five tries each: whoever guesses is right once in four years. */
  answers: { attempts: 30, windowInMs: HOUR_IN_MS },
  newAddresses: { attempts: 20, windowInMs: HOUR_IN_MS },
};

export function createAccountLimits({ throttle, clock }: { throttle: Throttle; clock: Clock }): AccountLimits {
  return {
    async countResetRequest({ email, address }) {
      const key = toEmailKey(email);
      const network = networkOf(address);
      const fromNetwork = await throttle.count(`reset request ${network}`, limits.requests);
      if (fromNetwork) return fromNetwork;
      const byPair = await throttle.take(`reset letter ${network} ${key}`, limits.letters.windowInMs);
      const toAddress = await throttle.take(`reset letter ${key}`, limits.letters.windowInMs);
      const isOver = toAddress.number > limits.letters.attempts && byPair.number > limits.lettersUnderAttack;
      return isOver ? tooMany(byPair.windowEndsAt, clock()) : undefined;
    },

    countResetAnswer: async ({ email, address }) =>
      (await throttle.count(`reset answer ${networkOf(address)}`, limits.answersFromNetwork)) ??
      (await throttle.count(`reset answer to ${toEmailKey(email)}`, limits.answers)),

    countNewAddress: (memberId) => throttle.count(`new address of ${memberId}`, limits.newAddresses),
    countAddressLetter: (email) => throttle.count(`new address letter ${toEmailKey(email)}`, limits.letters),
  };
}
