import { type ActionFunctionArgs, data, redirect, redirectDocument } from "react-router";
import { z } from "zod";

import type { ProfileRefusal, ProfileView } from "../../../../../server/members/accounts/profile.ts";
import {
  type FieldRefusal,
  mapProfile,
  profileFieldNames,
  profileFields,
} from "../../../../../server/members/accounts/profile-fields.ts";
import type { AvatarRefusal } from "../../../../../server/members/avatars/avatars.ts";
import {
  cancelling,
  emailCodes,
  forms,
  newsletter,
  passkeys,
  person,
  pictures,
  profile,
} from "../../../../../server/refusals.ts";
import type { Services } from "../../../../../server/services.ts";
import { requestSource, callerContext } from "../../../../frame/context.ts";
import { endedSessionCookie } from "../../../../frame/cookies.ts";
import { refuse, toFormResult } from "../../../../forms/answer.ts";
import {
  type FieldMessage,
  newPasswordMessages,
  personMessages,
  emailWaitMessage,
  refuseTooMany,
  toFieldErrors,
  tooMany,
  tooSoon,
  typedCode,
} from "../../../../forms/messages.ts";
import { parseForm, type Problems } from "../../../../forms/parse-form.ts";
import { readSwitch } from "../../../../forms/intents.ts";
import { readText } from "../../../../forms/read-text.ts";
import { requireSender, requireServices } from "../../../../frame/middleware/guards.ts";
import { outcomePath } from "../../../door/login/paths.ts";
import { type AccountAnswer, type AccountIntent, type ShownName, toShownName } from "./account-answer.ts";
import {
  addPasskey,
  declinePasskey,
  proveByPasskey,
  proveByPassword,
  removePasskey,
  switchPassword,
} from "./passkey-actions.ts";
import { forgetPositions, restorePositions, switchPositions } from "./position-actions.ts";
import { showFlash } from "./show-flash.ts";

/** docs/behaviour.md, Access: only with an active subscription. */
async function mayChange({ membership }: Services, memberId: number): Promise<boolean> {
  return (await membership.findAccess(memberId)).isActive;
}

const text = z.string().default("");

const shownTexts = Object.fromEntries(profileFieldNames.map((field) => [toShownName(field), text]));

const details = z.object({
  ...mapProfile(() => text),
  ...(shownTexts as Record<ShownName, typeof text>),
  currentPassword: text,
});

export type Details = z.infer<typeof details>;

const longMessages = Object.fromEntries(
  profileFieldNames.flatMap((field) => {
    const { refusals } = profileFields[field];
    return "long" in refusals ? [[refusals.long, [field, person["name-long"]]]] : [];
  }),
) as Record<Extract<FieldRefusal, `${string}-long`>, FieldMessage<keyof Details>>;

/** For the API too. A new refusal does not compile until it has a message and a field. */
export const profileMessages: Record<ProfileRefusal, FieldMessage<keyof Details>> = {
  ...personMessages,
  ...longMessages,
  "password-wanted": ["currentPassword", profile["password-wanted"]],
  "password-wrong": ["currentPassword", profile["password-wrong"]],
  "passkey-wanted": ["email", profile["passkey-wanted"]],
};

/** Saves the picture even if the rest is refused, so that it need not be chosen again. */
async function saveProfile(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form, savedFields: [...profileFieldNames, toShownName("email")] });
  const submission = parseForm(form, details, ["currentPassword"]);
  if (!submission.ok) return refuse("profile", submission.reply());
  const { value, reply } = submission;
  const services = requireServices(args.context);
  if (!(await mayChange(services, member.id)))
    return refuse("profile", reply({ formErrors: [profile.locked] }), { status: 403 });

  const picture = await savePicture(args, member.id, form.get("picture"));
  if (picture.fault) {
    const fieldErrors = { picture: [picture.fault.sentence] };
    return refuse("profile", reply({ fieldErrors }), picture.fault.init);
  }
  const result = await services.profile.save({
    ...requestSource(args.context, args.url),
    memberId: member.id,
    wanted: mapProfile((field) => value[field]),
    shown: mapProfile((field) => value[toShownName(field)]),
    password: value.currentPassword || undefined,
    token: args.context.get(callerContext).token,
  });
  if (result.ok) return showFlash(result.isProvedElsewhere ? "email-elsewhere" : "saved", args);
  const refuseDetails = (problems: Problems, init: ResponseInit = { status: 400 }, now?: ProfileView) =>
    data<AccountAnswer>({ form: "profile", result: reply(problems), isPictureSaved: picture.isSaved, now }, init);
  switch (result.reason) {
    case "refused": {
      const messages = result.refusals.map((reason) => profileMessages[reason]);
      return refuseDetails({ fieldErrors: toFieldErrors(messages) });
    }
    case "changed-elsewhere":
      return refuseDetails({ formErrors: [profile["changed-elsewhere"]] }, { status: 409 }, result.now);
    case "refused-elsewhere":
      return refuseDetails({ formErrors: [result.message] });
    case "unavailable":
      return refuseDetails({ formErrors: [profile.unavailable] }, { status: 503 });
    case "too-many-attempts":
      return refuseDetails({ formErrors: [tooMany(result.waitInMs)] }, tooSoon(result.waitInMs));
  }
}

/** A new reason does not compile until it has a message. */
const faults: Record<AvatarRefusal, string> = pictures;

type SavedPicture = { isSaved: boolean; fault?: { sentence: string; init: ResponseInit } };

/** Returns what is wrong with a refused picture. */
async function savePicture(
  { context }: Pick<ActionFunctionArgs, "context">,
  memberId: number,
  file: unknown,
): Promise<SavedPicture> {
  // Without a choice, browsers send an empty file without a name.
  if (!(file instanceof File) || (file.size === 0 && file.name === "")) return { isSaved: false };
  const saved = await requireServices(context).avatars.save(memberId, new Uint8Array(await file.arrayBuffer()));
  if (saved.ok) {
    // The page of this answer shows it.
    context.set(callerContext, { ...context.get(callerContext), avatar: saved.hash });
    return { isSaved: true };
  }
  const isTooMany = saved.reason === "too-many-attempts";
  const fault = isTooMany
    ? { sentence: tooMany(saved.waitInMs), init: tooSoon(saved.waitInMs) }
    : { sentence: faults[saved.reason], init: { status: 400 } };
  return { isSaved: false, fault };
}

async function removePicture(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  const services = requireServices(args.context);
  if (!(await mayChange(services, member.id))) return refuse("profile", toFormResult(profile.locked), { status: 403 });
  await services.avatars.remove(member.id);
  return showFlash("picture-removed", args);
}

const proof = z.object({ emailCode: typedCode });

const proofMessages = { ...emailCodes, "email-registered": person["email-registered"] };

async function confirmEmail(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  const submission = parseForm(form, proof, []);
  if (!submission.ok) return refuse("email-code", submission.reply());
  const { value, reply } = submission;
  const services = requireServices(args.context);
  if (!(await mayChange(services, member.id)))
    return refuse("email-code", reply({ formErrors: [profile.locked] }), { status: 403 });
  const { site } = requestSource(args.context, args.url);
  const result = await services.profile.confirmEmailByCode(member.id, value.emailCode, site);
  if (result.ok) return showFlash(result.countsFrom ? "email-held" : "email-confirmed", args);
  return refuse("email-code", reply({ fieldErrors: { emailCode: [proofMessages[result.reason]] } }));
}

async function resendEmailCode(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  const services = requireServices(args.context);
  if (!(await mayChange(services, member.id)))
    return refuse("email-resend", toFormResult(profile.locked), { status: 403 });
  const result = await services.profile.resendConfirmation(member.id, requestSource(args.context, args.url));
  if (result.ok) return showFlash("code-sent", args);
  // It was confirmed or cancelled elsewhere: the page shows which.
  if (result.reason === "nothing-pending") return showFlash("nothing-pending", args);
  return refuse("email-resend", toFormResult(emailWaitMessage(result)), tooSoon(result.waitInMs));
}

async function cancelEmail(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  await requireServices(args.context).profile.cancelEmailChange(member.id);
  return showFlash("email-cancelled", args);
}

const passwords = z.object({ oldPassword: text, password: text, passwordConfirmation: text });

export type Passwords = z.infer<typeof passwords>;

const passwordMessages = {
  ...newPasswordMessages,
  "old-password-wrong": ["oldPassword", profile["password-wrong"]],
} satisfies Record<string, FieldMessage<keyof Passwords>>;

async function changePassword(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const submission = parseForm(form, passwords, Object.keys(passwords.shape));
  if (!submission.ok) return refuse("password", submission.reply());
  const { oldPassword, password, passwordConfirmation: confirmation } = submission.value;
  const result = await requireServices(args.context).profile.changePassword({
    memberId,
    oldPassword,
    password,
    confirmation,
    currentToken: args.context.get(callerContext).token,
    ...requestSource(args.context, args.url),
  });
  if (result.ok) return showFlash("password-changed", args);
  if (result.reason === "too-many-attempts") return refuseTooMany("password", result, submission.reply);
  const fieldErrors = toFieldErrors(result.refusals.map((reason) => passwordMessages[reason]));
  return refuse("password", submission.reply({ fieldErrors }));
}

/** By id; without one 400. */
async function endSession(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const device = readText(form, "device");
  if (device === "") throw data(forms["no-device"], { status: 400 });
  await requireServices(args.context).sessions.endOne(memberId, device);
  return showFlash("device-ended", args);
}

async function endOtherSessions(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const { token = "" } = args.context.get(callerContext);
  await requireServices(args.context).sessions.endOthers(memberId, token);
  return showFlash("devices-ended", args);
}

/** Sets the wanted state: a repeat changes nothing. */
async function switchNewsletter(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  return showFlash((await setNewsletter(form, { args, memberId })) ? "newsletter-on" : "newsletter-off", args);
}

/** For any page with the switch; returns whether it is on. */
export async function setNewsletter(
  form: FormData,
  { args, memberId }: { args: ActionFunctionArgs; memberId: number },
) {
  const service = requireServices(args.context).newsletter;
  const isOn = readSwitch(form);
  if (!isOn) await service.end(memberId);
  else if (!(await service.start(memberId))) throw data(newsletter.elsewhere, { status: 404 });
  return isOn;
}

/** A member's own refund in time: the membership ends, and all of the money is refunded. */
async function cancelPayment(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const receiptNumber = readText(form, "receipt");
  // Only the confirmation sends it: a page from before there was one would end a year by one press.
  if (readText(form, "isSure") !== "yes") return refuse("cancel", toFormResult(cancelling["not-sure"]));
  const result = await requireServices(args.context).payments.cancel({ memberId, receiptNumber });
  if (!result.ok) return refuse("cancel", toFormResult(cancelling[result.reason]));
  return showFlash("cancelled", args);
}

const closing = z.object({ closingPassword: text });

/** A page load, so that no data of the member stays in the browser's memory. */
async function closeAccount(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const { context, url } = args;
  const submission = parseForm(form, closing, ["closingPassword"]);
  if (!submission.ok) return refuse("close", submission.reply());
  const typed = { password: submission.value.closingPassword, token: context.get(callerContext).token };
  const result = await requireServices(context).closure.close({ memberId, ...typed, ...requestSource(context, url) });
  if (result.ok) return redirectDocument(outcomePath("closed"), { status: 303, headers: forgettingHeaders(url) });
  if (result.reason === "too-many-attempts") return refuseTooMany("close", result, submission.reply);
  if (result.reason === "not-fresh") return refuse("close", submission.reply({ formErrors: [passkeys["not-fresh"]] }));
  return refuse("close", submission.reply({ fieldErrors: { closingPassword: [profile["password-wrong"]] } }));
}

export async function logOut(_form: FormData, { context, url }: ActionFunctionArgs) {
  const { token } = context.get(callerContext);
  if (token) await requireServices(context).sessions.end(token);
  return redirect("/login", { status: 303, headers: forgettingHeaders(url) });
}

/**
 * Ends the browser's session, and its caches of pictures and films. The cookie of the scheme stays. Browsers ignore
 * this over plain http.
 */
function forgettingHeaders(url: URL): HeadersInit {
  return { "Set-Cookie": endedSessionCookie(url), "Clear-Site-Data": '"cache", "storage"' };
}

export const accountForms = {
  profile: saveProfile,
  "remove-picture": removePicture,
  "email-code": confirmEmail,
  "email-resend": resendEmailCode,
  "email-cancel": cancelEmail,
  password: changePassword,
  device: endSession,
  devices: endOtherSessions,
  "positions-switch": switchPositions,
  "positions-forget": forgetPositions,
  "positions-restore": restorePositions,
  "passkey-proof": proveByPassword,
  "passkey-use": proveByPasskey,
  "passkey-add": addPasskey,
  "passkey-remove": removePasskey,
  "passkey-password": switchPassword,
  "passkey-decline": declinePasskey,
  newsletter: switchNewsletter,
  cancel: cancelPayment,
  close: closeAccount,
} satisfies Record<AccountIntent, unknown>;
