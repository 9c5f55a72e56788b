import type { ConfirmAddressLetter } from "../accounts/address-change.ts";
import type { AddressChangedLetter } from "../accounts/address-proof.ts";
import type { AccountClosedLetter, AccountErasedLetter } from "../accounts/closure.ts";
import type { PasswordChangedLetter, ResetLetter } from "../accounts/password-reset.ts";
import { CODE_LIFE_IN_MS } from "../challenges/challenges.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { accountClosedLetter } from "./letters/account-closed.ts";
import { accountErasedLetter } from "./letters/account-erased.ts";
import { addressChangedLetter } from "./letters/address-changed.ts";
import { confirmNewAddressLetter } from "./letters/confirm-new-address.ts";
import { passwordChangedLetter } from "./letters/password-changed.ts";
import { passwordResetLetter } from "./letters/password-reset.ts";
import { toCause, toHouse, type PostSetting } from "./post-setting.ts";

const minutes = CODE_LIFE_IN_MS / MINUTE_IN_MS;

/** What is written to a member about their own account. */
export function createAccountPost(setting: PostSetting) {
  return { ...createWayInPost(setting), ...createAddressPost(setting), ...createLeavingPost(setting) };
}

function createWayInPost({ outbox, product, site: ownSite }: PostSetting) {
  return {
    /** Without a member the same is done and taken back, so that the time it takes tells nothing of who has an account. */
    async passwordReset({ member, site, code, token }: ResetLetter, trx: Queries): Promise<void> {
      const link = `${site}login?reset=3&token=${token}`;
      const { id, email = "", firstName = "" } = member ?? {};
      const letter = passwordResetLetter({ house: toHouse(product, site), firstName, code, link, minutes });
      const key = `password-reset ${toCause(token)}`;
      await outbox.add({ key, kind: "password-reset", to: email, memberId: id, letter, isSecret: true }, trx);
      await outbox.withdraw(member ? `${key} to nobody` : key, trx);
    },

    async passwordChanged({ member, at }: PasswordChangedLetter, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const letter = passwordChangedLetter({ house: toHouse(product, ownSite), firstName });
      const key = `password-changed member-${id} ${at.toISOString()}`;
      await outbox.add({ key, kind: "password-changed", to: email, memberId: id, letter }, trx);
    },
  };
}

function createAddressPost({ outbox, product, site: ownSite }: PostSetting) {
  return {
    async confirmAddress(wanted: ConfirmAddressLetter, trx: Queries): Promise<void> {
      const { member, newEmail, site, code, token } = wanted;
      const { id, firstName } = member;
      const link = `${site}?account=confirm-email&token=${token}`;
      const letter = confirmNewAddressLetter({ house: toHouse(product, site), firstName, code, link, minutes });
      const key = `confirm-new-address ${toCause(token)}`;
      await outbox.add({ key, kind: "confirm-new-address", to: newEmail, memberId: id, letter, isSecret: true }, trx);
    },

    async addressChanged({ member, token, until }: AddressChangedLetter, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const undoLink = `${ownSite}login?undo=${token}`;
      const letter = addressChangedLetter({ house: toHouse(product, ownSite), firstName, undoLink, until });
      const key = `address-changed ${toCause(token)}`;
      await outbox.add({ key, kind: "address-changed", to: email, memberId: id, letter, isSecret: true }, trx);
    },
  };
}

function createLeavingPost({ outbox, product, site: ownSite }: PostSetting) {
  return {
    async accountClosed({ member, site, token, eraseAt }: AccountClosedLetter, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const reopenLink = `${site}login?reopen=${token}`;
      const letter = accountClosedLetter({ house: toHouse(product, site), firstName, eraseAt, reopenLink });
      const key = `account-closed ${toCause(token)}`;
      await outbox.add({ key, kind: "account-closed", to: email, memberId: id, letter, isSecret: true }, trx);
    },

    /** To somebody who is no member any more: nothing else of them is left. */
    async accountErased({ member }: AccountErasedLetter, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const letter = accountErasedLetter({ house: toHouse(product, ownSite), firstName });
      await outbox.add({ key: `account-erased member-${id}`, kind: "account-erased", to: email, letter }, trx);
    },
  };
}
