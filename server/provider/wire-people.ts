import { z } from "zod";

import {
  type ProfileField,
  type ProfileFields,
  profileFieldNames,
  profileFields,
} from "../members/accounts/profile-fields.ts";
import { readEntities } from "../content/items/entities.ts";
import {
  anything,
  type Call,
  code,
  done,
  email,
  id,
  name,
  optionalText,
  pageQuery,
  password,
  text,
  token,
} from "./wire-fields.ts";

type WireName = (typeof profileFields)[ProfileField]["wireName"];
type WireProfile = Record<WireName, string>;

const toWireName = (field: ProfileField): WireName => profileFields[field].wireName;

function mapWire<Type extends z.ZodType>(toType: (field: ProfileField) => Type) {
  return Object.fromEntries(profileFieldNames.map((field) => [toWireName(field), toType(field)])) as Record<
    WireName,
    Type
  >;
}

const profileTypes = { name, email };
const profileShape = mapWire((field) => profileTypes[profileFields[field].kind]);

/** By the API's names; other fields are left out. */
export function toWire<Fields extends Partial<ProfileFields>>(fields: Fields) {
  const named = profileFieldNames.flatMap((field) => {
    const value = fields[field];
    return value === undefined ? [] : [[toWireName(field), value]];
  });
  return Object.fromEntries(named) as Fields extends ProfileFields ? WireProfile : Partial<WireProfile>;
}

export function toProfile(wire: { [Name in keyof WireProfile]?: string | null | undefined }): Partial<ProfileFields> {
  const named = profileFieldNames.map((field) => [field, wire[toWireName(field)]] as const);
  return Object.fromEntries(named.filter(([, value]) => typeof value === "string"));
}

/** WordPress stores names as HTML. */
export function toTypedProfile(wire: Parameters<typeof toProfile>[0]): Partial<ProfileFields> {
  return Object.fromEntries(Object.entries(toProfile(wire)).map(([field, value]) => [field, readEntities(value)]));
}

const customersQuery = z.object(pageQuery);
/** Members log in by address. */
const customers = z.array(z.object({ username: z.string() }));
const readCustomers = z.array(z.looseObject({ username: z.string() }));

const emailQuery = z.object({ email });
const foundId = z.object({ id: z.int() });

const accountType = z.enum(["individual", "corporate"]);

/** Without a `userType` a code makes it `corporate`. The code may have either name. */
const signup = z.object({
  first_name: name,
  last_name: name,
  email,
  password,
  userType: accountType.optional(),
  dormouseCode: code.nullish(),
  productCode: code.nullish(),
});

const signedUp = z.object({
  id: z.int(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  userType: accountType,
});

/** Clients of WordPress call the address the username. */
const credentials = { email: email.optional(), username: email.optional(), password };

const tokenRequest = z.object(credentials);
const jwtToken = z.object({ jwt_token: z.string(), data: z.object({ jwt_token: z.string() }) });

/** Printable, for a header; signed tokens have a thousand characters and more. */
const headerToken = z.string().regex(/^[\x21-\x7e]{1,4096}$/);
const readJwtToken = z.union([
  z.looseObject({ jwt_token: headerToken }).transform(({ jwt_token }) => jwt_token),
  z.looseObject({ data: z.looseObject({ jwt_token: headerToken }) }).transform(({ data }) => data.jwt_token),
]);

const logIn = z.object({ ...credentials, token: token.nullish() });

const person = {
  id: z.int(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  userType: accountType,
  hasActiveSubscription: z.boolean(),
  /** An instant in UTC; null without a subscription. */
  subscription_ends_at: z.string().nullable(),
};

const currentUser = z.object(person);
/** With the same number in the shape of WordPress. */
const user = currentUser.extend({
  token: z.string(),
  data: z.object({ user: z.object({ ID: z.int() }) }),
});

export const ownId = z.object({ id });
const currentUsers = z.array(currentUser).length(1);
const readCurrentUsers = z
  .tuple([z.object({ ...mapWire(() => optionalText), subscription_ends_at: optionalText })])
  .rest(z.unknown());

/** An omitted field stays. A new address requires the `password`, and counts once it is proved by email. */
const profilePatch = z.object({
  id,
  token: token.nullish(),
  ...z.object(profileShape).partial().shape,
  password: password.optional(),
});
/** `email` counts; `pending_email` waits for its proof. */
const profile = z.object({ ...mapWire(() => z.string()), pending_email: z.string().nullable() });
const readProfile = z
  .object({ ...mapWire(() => optionalText), pending_email: optionalText })
  .refine(({ first_name, email: address }) => typeof first_name === "string" || typeof address === "string");

/** `active` has no effect: what is paid for is active. Any other word ends the subscription now. */
export const newStatus = z.object({ id, newStatus: z.enum(["active", "inactive", "cancelled", "expired"]) });
export const subscriptionStatus = z.boolean();
export const subscription = z.object({
  id: z.int(),
  status: z.enum(["active", "inactive"]),
  hasActiveSubscription: z.boolean(),
  subscription_ends_at: z.string().nullable(),
});

/** Fixed emails with their facts; never words of the caller's. */
const emailRequest = z.discriminatedUnion("name", [
  z.object({
    name: z.literal("verification"),
    email,
    first_name: name,
    code: text(6).regex(/^\d{6}$/, "must be six digits"),
    token: text(128).regex(/^[\w.~-]{16,}$/, "must be 16 letters and digits or more"),
    /** The front for the email's link; this site by default. */
    site: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional(),
  }),
  z.object({ name: z.literal("password-reset"), email }),
  z.object({ name: z.literal("welcome"), email }),
]);

const resetRequest = z.object({ email });
const resetCode = resetRequest.extend({ code: text(40) });
const resetPassword = resetCode.extend({ password });

/** The number may be in `id`, `ID` or `data.user.ID`. */
export const readUser = z
  .looseObject({
    id: id.optional().catch(undefined),
    ID: id.optional().catch(undefined),
    data: z
      .looseObject({ user: z.looseObject({ ID: id }) })
      .optional()
      .catch(undefined),
    ...mapWire(() => z.string().nullish()),
    userType: accountType.nullish().catch(undefined),
  })
  .transform(({ id: own, ID, data, userType, ...given }, context) => {
    const found = own ?? ID ?? data?.user.ID;
    if (found === undefined) context.addIssue({ code: "custom", message: "has no number" });
    return { id: found ?? 0, ...toTypedProfile(given), accountType: userType ?? undefined };
  });

/** A boolean, the word, or either inside an object. */
export const readSubscriptionStatus = z
  .union([
    z.boolean(),
    z.string(),
    z.looseObject({ status: z.union([z.boolean(), z.string()]) }).transform(({ status }) => status),
  ])
  .transform((status) => status === true || status === "active");

export const peopleCalls = {
  fetchCustomers: {
    method: "GET",
    path: "users/fetchCustomers",
    needs: "key",
    in: customersQuery,
    out: customers,
    read: readCustomers,
    summary: "The addresses that are registered, by pages of 100 at most; X-Total and X-TotalPages say how many.",
  },
  createUser: {
    method: "POST",
    path: "users/createUser",
    needs: "key",
    in: signup,
    out: signedUp,
    read: readUser,
    summary: "Adds a member without a subscription; the same as usersignup.",
  },
  usersignup: {
    method: "POST",
    path: "users/usersignup",
    needs: "key",
    in: signup,
    out: signedUp,
    read: readUser,
    summary: "Adds a member without a subscription.",
  },
  grabuserid: {
    method: "GET",
    path: "users/grabuserid",
    needs: "key",
    in: emailQuery,
    out: foundId,
    read: readUser,
    summary: "The number of the member with an address.",
  },
  grabtoken: {
    method: "POST",
    path: "users/grabtoken",
    needs: "key",
    in: tokenRequest,
    out: jwtToken,
    read: readJwtToken,
    summary: "A session's token for an address and its password.",
  },
  login: {
    method: "POST",
    path: "users/login",
    needs: "member",
    in: logIn,
    out: user,
    read: readUser,
    summary: "The member whose credentials and token these are.",
  },
  getcurrentuser: {
    method: "POST",
    path: "users/getcurrentuser",
    needs: "member",
    in: ownId,
    out: currentUsers,
    read: readCurrentUsers,
    summary: "The member, in a list of one.",
  },
  patchuser: {
    method: "PATCH",
    path: "users/patchuser",
    needs: "active",
    in: profilePatch,
    out: profile,
    read: readProfile,
    summary: "Changes names and address.",
  },
  sendemail: {
    method: "POST",
    path: "email/sendemail",
    needs: "key",
    in: emailRequest,
    out: done,
    read: anything,
    summary: "Sends one of the known emails.",
  },
} as const satisfies Record<string, Call>;

const reset = { method: "POST", needs: "key", out: done, read: anything } as const;

export const resetCalls = {
  resetPassword: {
    ...reset,
    path: "bdpwr/v1/reset-password",
    in: resetRequest,
    summary: "Mails a code. The answer is the same whether an address is known or not.",
  },
  validateCode: { ...reset, path: "bdpwr/v1/validate-code", in: resetCode, summary: "Whether a code is right." },
  setPassword: {
    ...reset,
    path: "bdpwr/v1/set-password",
    in: resetPassword,
    summary: "Sets a new password and ends every session.",
  },
} as const satisfies Record<string, Call>;
