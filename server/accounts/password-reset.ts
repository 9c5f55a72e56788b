import { CODE_LIFE_IN_MS, codeRefusals, type Challenges, type CodeRefusal } from "../challenges/challenges.ts";
import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { KeyedHash } from "../keyed-hash.ts";
import type { Log } from "../log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Throttle, TooMany } from "../throttle/throttle.ts";
import { createAccountLimits } from "./account-limits.ts";
import { createLinkSubjects, linkPurposes, memberIdIn } from "./account-links.ts";
import type { Accounts, Member } from "./accounts.ts";
import { holdMember } from "./held-member.ts";
import type { NewPasswordRefusal } from "./new-password.ts";
import { createPasswordAttempts } from "./password-attempts.ts";
import { createResetGrants } from "./reset-grants.ts";
import { isEmail } from "./rules.ts";

/**
 * A way in for who has forgotten the password: a letter with a code and a link, either of which is exchanged, once, for a grant, and
 * the grant for a new password. Nothing on the way tells whether an address has an account.
 */
export type PasswordReset = {
  /**
   * Step 1. The same answer and the same work whether the address is known or not. Within a minute of the letter before there is
   * no other one, and the answer is the same.
   */
  request(wish: {
    email: string;
    address: string;
    site: string;
  }): Promise<{ ok: true } | { ok: false; reason: "email-invalid" } | TooMany>;
  /** Step 2. `grant` is good once, for ten minutes, for step 3. */
  checkCode(answer: {
    email: string;
    code: string;
    address: string;
  }): Promise<{ ok: true; grant: string } | { ok: false; reason: CodeRefusal } | TooMany>;
  /** Whether the page behind the mail's link may offer its button. */
  peekLink(token: string): Promise<boolean>;
  /** The mail's link, on whatever device, once: a grant. */
  useLink(token: string): Promise<string | undefined>;
  /**
   * Step 3: sets it, ends every session of the member, gives up an address that waits for its proof, tells the owner by letter. A
   * password that is refused leaves the grant as it was.
   */
  setPassword(wish: {
    grant: string;
    password: string;
    confirmation: string;
  }): Promise<{ ok: true } | { ok: false; reason: NewPasswordRefusal | "grant-over" }>;
};

/** `member` is missing when nobody has the address: then nothing may be written, and it must take as long. */
export type ResetLetter = {
  member: Pick<Member, "id" | "email" | "firstName"> | undefined;
  site: string;
  code: string;
  token: string;
};

export type PasswordChangedLetter = { member: Pick<Member, "id" | "email" | "firstName">; at: Date };

type ResetRooms = {
  db: Queries;
  clock: Clock;
  log: Log;
  accounts: Accounts;
  sessions: Sessions;
  challenges: Challenges;
  throttle: Throttle;
  hash: KeyedHash;
  letters: {
    passwordReset(letter: ResetLetter, trx: Queries): Promise<void>;
    passwordChanged(letter: PasswordChangedLetter, trx: Queries): Promise<void>;
  };
  productName: string;
};

const { reset } = linkPurposes;

export function createPasswordReset(rooms: ResetRooms): PasswordReset {
  const { db, accounts, challenges, letters } = rooms;
  const limits = createAccountLimits(rooms);
  const attempts = createPasswordAttempts(rooms);
  const subjects = createLinkSubjects(rooms.hash);
  const grants = createResetGrants({ ...rooms, subjects });

  return {
    async request({ email, address, site }) {
      if (!isEmail(email.trim())) return { ok: false, reason: "email-invalid" };
      const tooMany = await limits.countResetRequest({ email, address });
      if (tooMany) return tooMany;
      const member = await accounts.findByEmail(email);
      const challenge = { purpose: reset, subject: subjects.of(member?.id, email), linkLifeInMs: CODE_LIFE_IN_MS };
      await db.transaction().execute(async (trx) => {
        await holdMember(member?.id ?? 0, trx);
        const started = await challenges.start(challenge, trx);
        if (started.ok) await letters.passwordReset({ member, site, ...started }, trx);
      });
      return { ok: true };
    },

    async checkCode({ email, code, address }) {
      const tooMany = await limits.countResetAnswer({ email, address });
      if (tooMany) return tooMany;
      const member = await accounts.findByEmail(email);
      const subject = subjects.of(member?.id, email);
      const answered = await db.transaction().execute(async (trx) => {
        await holdMember(member?.id ?? 0, trx);
        const verdict = await challenges.answerCode({ purpose: reset, subject, code }, trx);
        return verdict === "right" ? { grant: await grants.start(subject, trx) } : verdict;
      });
      if (typeof answered === "string") return { ok: false, reason: codeRefusals[answered] };
      // Forgotten passwords are tried until the door is closed: it opens again for who has shown whose they are.
      await attempts.forgive({ email, address });
      return { ok: true, ...answered };
    },

    peekLink: async (token) => (await challenges.peekLink(reset, token)) !== undefined,

    async useLink(token) {
      const subject = await challenges.peekLink(reset, token);
      if (subject === undefined) return undefined;
      return db.transaction().execute(async (trx) => {
        await holdMember(memberIdIn(subject), trx);
        const claimed = await challenges.claimLink(reset, token, trx);
        return claimed === undefined ? undefined : grants.start(claimed, trx);
      });
    },

    setPassword: grants.setPassword,
  };
}
