import { toEmailKey } from "../../../server/accounts/rules.ts";
import type { ProfileRefusal } from "../../../server/accounts/profile.ts";
import { PER_PAGE_MAX, type CallInput } from "../../../server/provider-api/wire.ts";
import type { DetailsRefusal } from "../../../server/sign-up/sign-up.ts";
import { newPasswordWords } from "../../forms/password-words.ts";
import { NAME_TOO_LONG, personWords } from "../../forms/person-words.ts";
import { answer, FALLBACK, NOT_YOURS, refuse, refuseWait, type ApiAnswer } from "./answers.ts";
import type { Asked, Handler, Visit } from "./visit.ts";
import { toUser } from "./wire-user.ts";

export const fetchCustomers: Handler<"fetchCustomers"> = async ({ rooms, input }) => {
  const { page = 1, per_page: wanted = PER_PAGE_MAX } = input;
  const size = Math.min(wanted, PER_PAGE_MAX);
  const { members, total } = await rooms.accounts.list({ page, size });
  const open = members.filter(({ eraseAt }) => eraseAt === undefined);
  const headers = { "X-Total": String(total), "X-TotalPages": String(Math.max(1, Math.ceil(total / size))) };
  return answer(
    open.map(({ email: username }) => ({ username })),
    headers,
  );
};

export const grabuserid: Handler<"grabuserid"> = async ({ rooms, input }) => {
  const member = await rooms.accounts.findByEmail(input.email);
  return member ? answer({ id: member.id }) : refuse(404, "Nobody has this email.");
};

export const getcurrentuser: Handler<"getcurrentuser"> = async (asked) => answer([await toUser(asked, asked.member)]);

export const usersignup: Handler<"usersignup"> = (asked) => signUp(asked);
export const createUser: Handler<"createUser"> = (asked) => signUp(asked);

/** What each refusal of a new account is answered with (spec, section 5). A new one does not compile until it has words. */
const signUpWords: Record<Exclude<DetailsRefusal["reason"], "code-refused">, string> = {
  "first-name-missing": personWords["first-name-missing"][1],
  "last-name-missing": personWords["last-name-missing"][1],
  "name-too-long": NAME_TOO_LONG,
  "email-invalid": personWords["email-invalid"][1],
  "email-registered": personWords["email-registered"][1],
  "password-short": "Password must be 8 characters or more.",
  "password-long": newPasswordWords["password-long"][1],
  "password-common": newPasswordWords["password-common"][1],
  "password-mismatch": newPasswordWords["password-mismatch"][1],
  "code-unchecked": "An error occurred validating your coupon - contact us",
};

type SignedUp = ApiAnswer<{ id: number; email: string; first_name: string; last_name: string; userType: AccountType }>;
type AccountType = "individual" | "corporate";

async function signUp({ api, input }: Visit & { input: CallInput<"usersignup"> }): Promise<SignedUp> {
  const tooMany = await api.limits.countDelicate();
  if (tooMany) return refuseWait(tooMany);
  const code = input.dormouseCode ?? input.productCode ?? "";
  const accountType = input.userType ?? (code === "" ? "individual" : "corporate");
  const details = { firstName: input.first_name, lastName: input.last_name, email: input.email, accountType };
  const result = await api.signUp({ ...details, password: input.password, code });
  if (!result.ok) {
    const { refusals } = result;
    const isTaken = refusals.every(({ reason }) => reason === "email-registered");
    return refuse(
      isTaken ? 409 : 400,
      ...refusals.map((each) => ("message" in each ? each.message : signUpWords[each.reason])),
    );
  }
  const { id, email, firstName, lastName } = result.member;
  return answer({ id, email, first_name: firstName, last_name: lastName, userType: accountType });
}

const profileWords: Record<ProfileRefusal, string> = {
  "first-name-missing": personWords["first-name-missing"][1],
  "first-name-long": NAME_TOO_LONG,
  "last-name-missing": personWords["last-name-missing"][1],
  "last-name-long": NAME_TOO_LONG,
  "email-invalid": personWords["email-invalid"][1],
  "email-registered": personWords["email-registered"][1],
  "password-wanted": "Please enter your current password: your email address is about to change.",
  "password-wrong": "This is not your current password.",
};

export const patchuser: Handler<"patchuser"> = async (asked: Asked<"patchuser">) => {
  const { rooms, input, member, address, site } = asked;
  const shown = await rooms.profile.find(member.id);
  if (!shown) return refuse(403, NOT_YOURS);
  const email = input.email ?? shown.email;
  const result = await rooms.profile.save({
    memberId: member.id,
    shown,
    wanted: { firstName: input.first_name ?? shown.firstName, lastName: input.last_name ?? shown.lastName, email },
    password: toEmailKey(email) === toEmailKey(shown.email) ? undefined : input.password,
    address,
    site,
  });
  if (!result.ok) {
    if (result.reason === "too-many-attempts") return refuseWait(result);
    if (result.reason === "not-taken") return refuse(400, result.message);
    if (result.reason === "unreachable") return refuse(502, FALLBACK);
    if (result.reason === "changed-elsewhere") return refuse(409, "Your details were changed elsewhere meanwhile.");
    return refuse(400, ...result.refusals.map((reason) => profileWords[reason]));
  }
  const now = (await rooms.profile.find(member.id)) ?? shown;
  return answer({
    first_name: now.firstName,
    last_name: now.lastName,
    email: now.email,
    pending_email: now.pendingEmail ?? null,
  });
};
