import type { AccountCapabilities, Accounts, Member, OwnAccount } from "./accounts/accounts.ts";
import type { LogIn } from "./accounts/log-in.ts";
import type { PasswordReset } from "./accounts/password-reset.ts";
import { hashPassword } from "./accounts/passwords.ts";
import type { Profile } from "./accounts/profile.ts";
import type { AccountSupport } from "./accounts/support.ts";
import type { CodeCheck } from "./codes/code.ts";
import type { Codes } from "./codes/codes.ts";
import type { Favourites } from "./favourites/favourites.ts";
import type { Access, Membership } from "./membership/membership.ts";
import type { CardCharges, CardRefunds } from "./payments/card-gateway.ts";
import type { Fulfil } from "./payments/context.ts";
import type { NewOrder } from "./payments/orders.ts";
import type { Browser, Claim, Sessions, StartedSession } from "./sessions/sessions.ts";
import type { DraftRow } from "./sign-up/drafts.ts";

/**
 * What a member does, where it matters who keeps members, subscriptions, favourites and orders: this product, or another back end that
 * speaks the API (docs/api.md). The rest of the product does not know which.
 */
export type Backend = {
  /** What else can be done about an account. */
  capabilities: AccountCapabilities;
  logIn: LogIn;
  /** The session behind a token, as long as the back end accepts it. */
  findSession: Sessions["find"];
  /** Runs `work` on behalf of a session that was found. */
  act: Sessions["act"];
  findMember: (email: string) => Promise<Member | undefined>;
  findAccess: (memberId: number) => Promise<Access>;
  /** The end of what is paid already. */
  findCoverEnd: Membership["findCoverEnd"];
  saveProfile: Profile["save"];
  favourites: Favourites;
  /** The three steps of a reset. */
  passwordReset: PasswordReset;
  /** Whether a code is good for joining. It throws where that cannot be asked. */
  checkCode: (code: string, memberId?: number) => Promise<CodeCheck>;

  /** Joining, step 1: a password as its draft keeps it. */
  keepPassword: (password: string) => Promise<string>;
  /** Joining, step 1: whether the address is taken. An account that was opened for the draft itself does not count. */
  isAddressTaken: (wanted: WantedAddress) => Promise<boolean>;
  /**
   * Joining, step 3, before anything is charged: whether an account can be made of a draft. What it does is done once, however often
   * it is asked. `address` is the visitor's network address.
   */
  openAccount: (draft: DraftRow, address: string) => Promise<AccountOpening>;
  /** Joining by a code: takes the seat, unless completing the order does. Asked again, it takes no second one. */
  takeSeat: (order: NewOrder) => Promise<SeatTaken>;
  /** Joining by card. */
  cards: CardCharges;
  /** Giving back what was paid by card; none where the back end does it by itself. */
  refunds: CardRefunds | undefined;
  /** Joining, at its end: makes what was bought out of an order that is paid, in the transaction that claims the order. */
  completeOrder: Fulfil;
  /** Logs in a new member, in the transaction of what their browser claims. */
  startSession: (memberId: number, browser: Browser | undefined, claim: Claim) => Promise<StartedSession>;
  /** Called once a member is logged in: fetches what cannot be read without one. */
  welcome: () => Promise<void>;
  /** Whether a draft that is over needs its password no more, even when money of it is on its way. */
  forgetsRestingPasswords: boolean;

  /** Whether it writes receipts, and reminds of the end of a term, by itself and with links of its own. */
  writesAboutMoney: boolean;
  /** What operators cannot change here, because it is kept elsewhere. */
  refused: {
    accounts?: Partial<Accounts>;
    membership?: Partial<Membership>;
    codes?: Partial<Codes>;
    support?: Partial<AccountSupport>;
  };
};

export type WantedAddress = { email: string; password: string; before: DraftRow | undefined };

export type AccountOpening =
  | { ok: true }
  | { ok: false; reason: "email-registered" }
  | { ok: false; reason: "unavailable" }
  /** With the back end's sentence for the visitor. */
  | { ok: false; reason: "account-refused"; message: string };

export type SeatTaken =
  | { ok: true }
  | { ok: false; reason: "unavailable" }
  | { ok: false; reason: "code-refused"; message: string };

type OwnModules = OwnAccount & {
  accounts: Accounts;
  sessions: Sessions;
  membership: Membership;
  favourites: Favourites;
  codes: Codes;
  cards: CardCharges;
  refunds: CardRefunds | undefined;
  completeOrder: Fulfil;
};

/** Our own: accounts are made with the subscription, when the money is here. */
export function createOwnBackend(own: OwnModules): Backend {
  const { accounts, sessions, membership, codes } = own;
  const isRegistered = async (email: string) => (await accounts.findByEmail(email)) !== undefined;
  return {
    capabilities: own.capabilities,
    logIn: own.logIn,
    findSession: (token) => sessions.find(token),
    act: (session, work) => sessions.act(session, work),
    findMember: (email) => accounts.findByEmail(email),
    findAccess: (memberId) => membership.findAccess(memberId),
    findCoverEnd: (memberId, trx) => membership.findCoverEnd(memberId, trx),
    saveProfile: (wish) => own.profile.save(wish),
    favourites: own.favourites,
    passwordReset: own.passwordReset,
    checkCode: (code, memberId) => codes.check(code, memberId),
    keepPassword: hashPassword,
    isAddressTaken: ({ email }) => isRegistered(email),
    openAccount: async ({ email }) =>
      (await isRegistered(email)) ? { ok: false, reason: "email-registered" } : { ok: true },
    takeSeat: async () => ({ ok: true }),
    cards: own.cards,
    refunds: own.refunds,
    completeOrder: own.completeOrder,
    startSession: (memberId, browser, claim) => sessions.start(memberId, browser, claim),
    welcome: async () => undefined,
    // Money that comes late still becomes an account, with this password.
    forgetsRestingPasswords: false,
    writesAboutMoney: false,
    refused: {},
  };
}
