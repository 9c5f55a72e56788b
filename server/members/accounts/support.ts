import type { Queries } from "../../platform/database/database.ts";
import { countAddressEmail, requestAddress } from "./address-change.ts";
import { askOldAddress, holdUntil } from "./address-hold.ts";
import { closeHeld } from "./closure.ts";
import { type AccountsContext, linkPurposes } from "./context.ts";
import { changeHeld, findMemberByEmail, holdOpenMember } from "./members.ts";
import { checkName, cleanName } from "./profile-fields.ts";
import { cleanEmail, isEmail, toEmailKey } from "../../platform/email-address.ts";

/** Operators' work on an account. Nothing here shows, sets or asks for a password. */
export type AccountSupport = ReturnType<typeof createSupport>;

/** `isMailboxLost`: the member can no longer read the old address, so it will not agree. */
export type AddressInput = { memberId: number; email: string; isMailboxLost: boolean; site: string };

export type AccountChallenge = {
  kind: keyof typeof linkPurposes;
  startedAt: Date;
  expiresAt: Date;
  wrongCodes: number;
};

export type NameRefusal = "first-name-missing" | "first-name-long" | "last-name-missing" | "last-name-long";

export type NameResult = { ok: true } | { ok: false; refusals: NameRefusal[] } | { ok: false; reason: "no-account" };

export type AddressResult =
  | { ok: true }
  | { ok: false; reason: "email-invalid" | "email-registered" | "email-same" | "no-account" };

export function createSupport(ctx: AccountsContext) {
  return {
    async correctName(
      { memberId, ...typed }: { memberId: number; firstName: string; lastName: string },
      trx: Queries,
    ): Promise<NameResult> {
      const [firstName, lastName] = [cleanName(typed.firstName), cleanName(typed.lastName)];
      const [first, last] = [checkName(firstName), checkName(lastName)];
      const refusals: NameRefusal[] = [
        ...(first ? [`first-name-${first}` as const] : []),
        ...(last ? [`last-name-${last}` as const] : []),
      ];
      if (refusals.length > 0) return { ok: false, refusals };
      const held = await holdOpenMember(memberId, trx);
      if (!held) return { ok: false, reason: "no-account" };
      await changeHeld(held, { columns: { firstName, lastName }, trx });
      return { ok: true };
    },

    /**
     * Makes an address pending, and emails both. It counts once it is proved and the old address has agreed or had
     * three days to object; then the old address gets the undo link, as after a member's own change.
     */
    async startAddressChange(
      { memberId, email: typed, isMailboxLost, site }: AddressInput,
      trx: Queries,
    ): Promise<AddressResult> {
      const email = cleanEmail(typed);
      if (!isEmail(email)) return { ok: false, reason: "email-invalid" };
      const held = await holdOpenMember(memberId, trx);
      if (!held) return { ok: false, reason: "no-account" };
      if (toEmailKey(email) === toEmailKey(held.email)) return { ok: false, reason: "email-same" };
      if (await findMemberByEmail(email, trx)) return { ok: false, reason: "email-registered" };
      await requestAddress(ctx, { held, email, site, heldUntil: holdUntil(ctx) }, trx);
      await askOldAddress(ctx, { held, newEmail: email, isMailboxLost, site }, trx);
      return { ok: true };
    },

    /**
     * Counts an email to an unproved address; returns the wait if it is one too many. Never call it in a transaction.
     */
    countAddressEmail: (email: string) => countAddressEmail(ctx, email),

    /** As the member would close it, with the same email and days; `undefined` if it is closed or gone. */
    async close({ memberId, site }: { memberId: number; site: string }, trx: Queries): Promise<Date | undefined> {
      const held = await holdOpenMember(memberId, trx);
      return held && closeHeld(ctx, held, { site, trx });
    },

    /** Open codes and links, the latest first. */
    async listChallenges(memberId: number): Promise<AccountChallenge[]> {
      const kinds = Object.keys(linkPurposes) as (keyof typeof linkPurposes)[];
      const open = await ctx.challenges.listOpen({ owner: memberId, purposes: Object.values(linkPurposes) });
      return open.flatMap(({ purpose, ...challenge }) => {
        const kind = kinds.find((each) => linkPurposes[each] === purpose);
        return kind ? [{ kind, ...challenge }] : [];
      });
    },
  };
}
