import type { Accounts, Member } from "../accounts/accounts.ts";
import { isEmail } from "../accounts/rules.ts";
import { refuse, UsageError, type Answer, type Input } from "./command.ts";
import { withRooms, type OpenHouse } from "./with-rooms.ts";

/** A command's work on one member. */
export type MemberWork = (house: OpenHouse & { member: Member }, input: Input) => Promise<Answer>;

/** What such a command is followed by. */
export const MEMBER_WORD = "EMAIL|ID";

/**
 * Does work on the member that a command's first word names, by address or by number.
 * @throws {UsageError} when it can be neither.
 */
export function withMember(work: MemberWork): (input: Input) => Promise<Answer> {
  return (input) => {
    const word = input.words[0] ?? "";
    const isNumber = /^\d{1,9}$/.test(word);
    if (!isNumber && !isEmail(word)) {
      throw new UsageError(`A member is named by an e-mail address or a number, not “${word}”.`);
    }
    return withRooms(async (house) => {
      const { accounts } = house.rooms;
      const member = await (isNumber ? findByNumber(accounts, Number(word)) : accounts.findByEmail(word));
      if (!member)
        return refuse(`There is no member ${isNumber ? `with the number ${word}` : `with the address ${word}`}.`);
      return work({ ...house, member }, input);
    });
  };
}

/** A closed account too, with the address it had: until it is erased an operator may have to look at it. */
async function findByNumber(accounts: Accounts, memberId: number): Promise<Member | undefined> {
  const record = await accounts.findRecord(memberId);
  return record && { ...record, email: record.closedEmail ?? record.email };
}

/** `Ada Lovell <ada@example.org>` */
export function nameOf({ firstName, lastName, email }: Member): string {
  return `${firstName} ${lastName} <${email}>`;
}
