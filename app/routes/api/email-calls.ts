import { checkName, cleanName, isEmail, toEmailKey } from "../../../server/accounts/rules.ts";
import type { CallInput } from "../../../server/provider/wire.ts";
import { api as words, person, reset } from "../../../server/refusals.ts";
import { type ApiAnswer, type Asked, type Handler, refuse, refuseWait, sayDone } from "./answers.ts";

const EMAIL_INVALID = reset.spec["email-invalid"];
const SENT = "The email is on its way.";

type Email = CallInput<"sendemail">;
type Sent = ReturnType<typeof sayDone> | ApiAnswer<never>;

/** One of the emails that the house knows. The words are its own; the caller gives facts. */
export const sendemail: Handler<"sendemail"> = async (asked) => {
  const { api, input } = asked;
  if (!isEmail(input.email.trim())) return refuse(400, EMAIL_INVALID);
  const tooMany = (await api.limits.countDelicate()) ?? (await api.limits.countEmail(toEmailKey(input.email)));
  if (tooMany) return refuseWait(tooMany);
  switch (input.name) {
    case "verification":
      return sendVerification(asked, input);
    case "password-reset":
      return sendReset(asked);
    case "welcome":
      return sendWelcome(asked);
  }
};

/** To an address that a front's visitor has given: code and link are the front's own. */
async function sendVerification(
  { services, site }: Asked<"sendemail">,
  mail: Extract<Email, { name: "verification" }>,
): Promise<Sent> {
  if (checkName(mail.first_name) !== undefined) return refuse(400, person.spec["first-name-missing"]);
  const { email, code, token } = mail;
  const front = mail.site === undefined ? site : mail.site.replace(/\/?$/, "/");
  const facts = { id: 0, email: email.trim(), firstName: cleanName(mail.first_name), site: front, code, token };
  await services.transact((trx) => services.emails.verification(facts, trx));
  return sayDone(SENT);
}

/** Only to whoever has an account, and nobody is told who has. */
async function sendReset({ services, input, address, site }: Asked<"sendemail">): Promise<Sent> {
  const result = await services.passwordReset.request({ email: input.email, address, site });
  if (result.ok) return sayDone(SENT);
  return result.reason === "email-invalid" ? refuse(400, EMAIL_INVALID) : refuseWait(result);
}

/** Once to each member: a second one changes nothing. */
async function sendWelcome({ services, input, site }: Asked<"sendemail">): Promise<Sent> {
  const member = await services.accounts.findByEmail(input.email);
  const access = member && (await services.membership.findAccess(member.id));
  if (!member || !access?.isActive || !access.endsAt) return refuse(404, words.ours["no-subscriber"]);
  const { endsAt } = access;
  await services.transact((trx) => services.emails.welcome({ member, endsAt, site }, trx));
  return sayDone(SENT);
}
