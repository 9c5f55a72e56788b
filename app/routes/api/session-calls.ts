import { toEmailKey } from "../../../server/accounts/rules.ts";
import { logIn } from "../../../server/refusals.ts";
import { answer, NOT_YOURS, refuse, refuseWait } from "./answers.ts";
import type { Handler, Visit } from "./visit.ts";
import { toUser } from "./wire-user.ts";

type Credentials = { email?: string | undefined; username?: string | undefined; password: string };

export const grabtoken: Handler<"grabtoken"> = async (asked) => {
  const result = await checkCredentials(asked, asked.input);
  if (!result.ok) return result;
  return answer({ jwt_token: result.body, data: { jwt_token: result.body } });
};

/** The token says who it is; the credentials are looked at all the same, and must be theirs. */
export const login: Handler<"login"> = async (asked) => {
  const { member, token, input, rooms } = asked;
  if (toEmailKey(input.email ?? input.username ?? "") !== toEmailKey(member.email)) return refuse(403, NOT_YOURS);
  const result = await checkCredentials(asked, input);
  if (!result.ok) return result;
  await rooms.sessions.end(result.body);
  return answer({ ...(await toUser(asked, member)), token, data: { user: { ID: member.id } } });
};

/** The token of a new session. */
async function checkCredentials({ rooms, api, address }: Visit, { email, username, password }: Credentials) {
  const tooManyCalls = await api.limits.countDelicate();
  if (tooManyCalls) return refuseWait(tooManyCalls);
  const name = email ?? username;
  if (name === undefined || name.trim() === "") return refuse(400, logIn.ours["email-missing"]);
  const result = await rooms.logIn({ email: name, password, address, userAgent: "API" });
  if (result.ok) return answer(result.session.token);
  return result.reason === "too-many-attempts" ? refuseWait(result) : refuse(401, logIn.ours["wrong-credentials"]);
}
