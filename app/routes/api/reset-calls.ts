import { reset } from "../../../server/refusals.ts";
import { wrongCodes } from "../../forms/code-words.ts";
import { newPasswordWords } from "../../forms/password-words.ts";
import { refuse, refuseWait, sayDone } from "./answers.ts";
import type { Handler } from "./visit.ts";

/** The password-reset service, version 1: three steps that know of each other by address and code. */

export const resetPassword: Handler<"resetPassword"> = async ({ rooms, api, input, address, site }) => {
  const tooMany = await api.limits.countDelicate();
  if (tooMany) return refuseWait(tooMany);
  const result = await rooms.passwordReset.request({ email: input.email, address, site });
  if (result.ok) return sayDone("If there is an account with this email, a code is on its way to it.");
  return result.reason === "email-invalid" ? refuse(400, reset.spec["email-invalid"]) : refuseWait(result);
};

export const validateCode: Handler<"validateCode"> = async ({ api, input, address }) => {
  const tooMany = await api.limits.countDelicate();
  if (tooMany) return refuseWait(tooMany);
  const result = await api.reset.checkCode({ ...input, address });
  if (result.ok) return sayDone("The code is right.");
  return result.reason === "too-many-attempts" ? refuseWait(result) : refuse(400, wrongCodes[result.reason]);
};

export const setPassword: Handler<"setPassword"> = async ({ api, input, address }) => {
  const tooMany = await api.limits.countDelicate();
  if (tooMany) return refuseWait(tooMany);
  const result = await api.reset.setPassword({ ...input, address });
  if (result.ok) return sayDone("The password is set.");
  switch (result.reason) {
    case "too-many-attempts":
      return refuseWait(result);
    case "wrong-code":
    case "expired-code":
    case "too-many-tries":
      return refuse(400, wrongCodes[result.reason]);
    case "password-short":
    case "password-long":
    case "password-common":
    case "password-mismatch":
      return refuse(400, newPasswordWords[result.reason][1]);
  }
};
