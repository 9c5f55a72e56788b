import type { Member } from "../../../server/members/accounts/accounts.ts";
import { checkName, cleanName } from "../../../server/members/accounts/profile-fields.ts";
import { cleanEmail, isEmail, toEmailKey } from "../../../server/platform/email-address.ts";
import { type CallAnswer, type CallInput, PER_PAGE_MAX, toProfile, toWire } from "../../../server/provider/wire.ts";
import { api as messages, emailCodes, logIn, person, reset } from "../../../server/refusals.ts";
import { cleanText } from "../../../server/platform/text.ts";
import { newPasswordMessages } from "../../forms/messages.ts";
import { profileMessages } from "../member/dashboard/account/actions.ts";
import { toDetailsMessage } from "../door/signup/actions.ts";
import {
  answer,
  type CallContext,
  delicate,
  FALLBACK,
  type Handler,
  NOT_YOURS,
  refuse,
  refuseWait,
  answerMessage,
  toSubscriptionEnd,
  toTotals,
  type Visit,
} from "./answers.ts";

async function toUser({ services, site }: Visit, member: Member): Promise<CallAnswer<"getcurrentuser">[number]> {
  const access = await services.membership.findAccess(member.id);
  const picture = await services.avatars.findHash(member.id);
  return {
    id: member.id,
    first_name: member.firstName,
    last_name: member.lastName,
    email: member.email,
    avatar_url: picture === undefined ? null : `${site}api/users/avatars/${picture}`,
    userType: member.accountType,
    hasActiveSubscription: access.isActive,
    subscription_ends_at: toSubscriptionEnd(access),
  };
}

export const fetchCustomers: Handler<"fetchCustomers"> = async ({ services, input }) => {
  const { page = 1, per_page: wanted = PER_PAGE_MAX } = input;
  const size = Math.min(wanted, PER_PAGE_MAX);
  const { members, total } = await services.accounts.list({ page, size });
  const open = members.filter(({ eraseAt }) => eraseAt === undefined);
  const usernames = open.map(({ email }) => ({ username: email }));
  return answer(usernames, toTotals(total, size));
};

export const grabuserid: Handler<"grabuserid"> = async ({ services, input }) => {
  const member = await services.accounts.findByEmail(input.email);
  return member ? answer({ id: member.id }) : refuse(404, messages["no-member"]);
};

export const getcurrentuser: Handler<"getcurrentuser"> = async (context) =>
  answer([await toUser(context, context.member)]);

export const usersignup: Handler<"usersignup"> = delicate(async ({ api, input }) => {
  const code = input.dormouseCode ?? input.productCode ?? "";
  const accountType = input.userType ?? (code === "" ? "individual" : "corporate");
  const details = { firstName: input.first_name, lastName: input.last_name, email: input.email, accountType };
  const result = await api.signUp({ ...details, password: input.password, code });
  if (!result.ok) {
    const { refusals } = result;
    const isTaken = refusals.every(({ reason }) => reason === "email-registered");
    return refuse(isTaken ? 409 : 400, ...refusals.map((each) => toDetailsMessage(each)[1]));
  }
  const { id, email, firstName, lastName } = result.member;
  return answer({ id, email, first_name: firstName, last_name: lastName, userType: accountType });
});

export const createUser: Handler<"createUser"> = (context) => usersignup(context);

export const patchuser: Handler<"patchuser"> = async (context) => {
  const { services, input, member, address, site } = context;
  const shown = await services.profile.find(member.id);
  if (!shown) return refuse(403, NOT_YOURS);
  const email = input.email ?? shown.email;
  const result = await services.profile.save({
    memberId: member.id,
    shown,
    wanted: { ...shown, ...toProfile(input) },
    password: toEmailKey(email) === toEmailKey(shown.email) ? undefined : input.password,
    address,
    site,
  });
  if (!result.ok) {
    if (result.reason === "too-many-attempts") return refuseWait(result);
    if (result.reason === "refused-elsewhere") return refuse(400, result.message);
    if (result.reason === "unavailable") return refuse(502, FALLBACK);
    if (result.reason === "changed-elsewhere") return refuse(409, messages["changed-elsewhere"]);
    return refuse(400, ...result.refusals.map((reason) => profileMessages[reason][1]));
  }
  const now = (await services.profile.find(member.id)) ?? shown;
  return answer({ ...toWire(now), pending_email: now.pendingEmail ?? null });
};

type Credentials = { email?: string | undefined; username?: string | undefined; password: string };

export const grabtoken: Handler<"grabtoken"> = async (context) => {
  const result = await checkCredentials(context, context.input);
  if (!result.ok) return result;
  return answer({ jwt_token: result.body, data: { jwt_token: result.body } });
};

/** The token names the member; the credentials are checked too, and must be the same member's. */
export const login: Handler<"login"> = async (context) => {
  const { member, token, input, services } = context;
  if (toEmailKey(input.email ?? input.username ?? "") !== toEmailKey(member.email)) return refuse(403, NOT_YOURS);
  const result = await checkCredentials(context, input);
  if (!result.ok) return result;
  await services.sessions.end(result.body);
  return answer({ ...(await toUser(context, member)), token, data: { user: { ID: member.id } } });
};

async function checkCredentials({ services, api, address }: Visit, { email, username, password }: Credentials) {
  const tooManyCalls = await api.limits.countDelicate();
  if (tooManyCalls) return refuseWait(tooManyCalls);
  const name = email ?? username;
  if (name === undefined || cleanText(name) === "") return refuse(400, logIn["email-missing"]);
  const result = await services.logIn({ email: name, password, address, userAgent: "API" });
  if (result.ok) return answer(result.session.token);
  if (result.reason === "too-many-attempts") return refuseWait(result);
  return result.reason === "unavailable" ? refuse(503, logIn.unavailable) : refuse(401, logIn["wrong-credentials"]);
}

/** The password-reset service, version 1: three calls, linked by email and code. */

export const resetPassword: Handler<"resetPassword"> = delicate((context) =>
  requestReset(context, "If there is an account with this email, a code is on its way to it."),
);

/** Only an account gets an email; the answer is the same without one. */
async function requestReset(
  { services, input, address, site }: CallContext<"resetPassword" | "sendemail">,
  message: string,
) {
  const result = await services.passwordReset.request({ email: input.email, address, site });
  if (result.ok) return answerMessage(message);
  return result.reason === "email-invalid" ? refuse(400, reset["email-invalid"]) : refuseWait(result);
}

export const validateCode: Handler<"validateCode"> = delicate(async ({ api, input, address }) => {
  const result = await api.reset.checkCode({ ...input, address });
  if (result.ok) return answerMessage("The code is right.");
  if (result.reason === "too-many-attempts") return refuseWait(result);
  return { ...refuse(400, emailCodes[result.reason]), code: result.reason };
});

export const setPassword: Handler<"setPassword"> = delicate(async ({ api, input, address }) => {
  const result = await api.reset.setPassword({ ...input, address });
  if (result.ok) return answerMessage("The password is set.");
  switch (result.reason) {
    case "too-many-attempts":
      return refuseWait(result);
    case "wrong-code":
    case "expired-code":
    case "too-many-tries":
      return { ...refuse(400, emailCodes[result.reason]), code: result.reason };
    case "password-short":
    case "password-long":
    case "password-common":
    case "password-mismatch":
      return { ...refuse(400, newPasswordMessages[result.reason][1]), code: result.reason };
    case "refused":
      return refuse(400, result.message);
  }
});

const SENT = "The email is on its way.";

/** The words are ours; the caller gives facts. */
export const sendemail: Handler<"sendemail"> = async (context) => {
  const { api, input } = context;
  if (!isEmail(cleanText(input.email))) return refuse(400, reset["email-invalid"]);
  const tooMany = (await api.limits.countDelicate()) ?? (await api.limits.countEmail(toEmailKey(input.email)));
  if (tooMany) return refuseWait(tooMany);
  switch (input.name) {
    case "verification":
      return sendVerification(context, input);
    case "password-reset":
      return requestReset(context, SENT);
    case "welcome":
      return sendWelcome(context);
  }
};

type Verification = Extract<CallInput<"sendemail">, { name: "verification" }>;

/** To an address that a front's visitor has typed: code and link are the front's own. */
async function sendVerification({ services, site }: Visit, mail: Verification) {
  if (checkName(mail.first_name) !== undefined) return refuse(400, person["first-name-missing"]);
  const { email, code, token } = mail;
  const front = mail.site === undefined ? site : mail.site.replace(/\/?$/, "/");
  const facts = { id: 0, email: cleanEmail(email), firstName: cleanName(mail.first_name), site: front, code, token };
  await services.transact((trx) => services.emails.verification(facts, trx));
  return answerMessage(SENT);
}

/** Once a member: a repeat changes nothing. */
async function sendWelcome({ services, input, site }: CallContext<"sendemail">) {
  const member = await services.accounts.findByEmail(input.email);
  const access = member && (await services.membership.findAccess(member.id));
  if (!member || !access?.isActive || !access.endsAt) return refuse(404, messages["no-subscriber"]);
  const { endsAt } = access;
  await services.transact((trx) => services.emails.welcome({ member, endsAt, site }, trx));
  return answerMessage(SENT);
}
