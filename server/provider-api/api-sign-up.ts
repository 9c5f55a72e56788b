import type { Accounts, Member } from "../accounts/accounts.ts";
import type { Codes } from "../codes/codes.ts";
import type { AccountType } from "../database/schema.ts";
import type { Log } from "../log.ts";
import { checkCode, checkPerson, toPerson } from "../sign-up/details.ts";
import type { DetailsRefusal } from "../sign-up/sign-up.ts";

/**
 * Adds a member whose front asks for it: by the rules of step 1 of our own sign-up, but without a draft and without a subscription,
 * which an order brings. A code is only looked at; its seat is taken by the order.
 */
export type ApiSignUp = (details: ApiDetails) => Promise<ApiSignUpResult>;

export type ApiDetails = {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  accountType: AccountType;
  code: string;
};

export type ApiSignUpResult = { ok: true; member: Member } | { ok: false; refusals: DetailsRefusal[] };

type SignUpRooms = { accounts: Accounts; codes: Codes; log: Log; productName: string };

export function createApiSignUp(rooms: SignUpRooms): ApiSignUp {
  const { accounts, productName } = rooms;
  return async (given) => {
    const details = { ...given, passwordConfirmation: given.password, token: undefined, address: "", site: "" };
    const refusals = checkPerson(details, productName);
    const person = toPerson(details);
    if (await accounts.findByEmail(person.email)) refusals.push({ reason: "email-registered" });
    const codeRefusal = given.accountType === "corporate" ? await checkCode(given.code, rooms) : undefined;
    if (codeRefusal) refusals.push(codeRefusal);
    if (refusals.length > 0) return { ok: false, refusals };
    const member = await accounts.register({ ...person, password: given.password, accountType: given.accountType });
    return member ? { ok: true, member } : { ok: false, refusals: [{ reason: "email-registered" }] };
  };
}
