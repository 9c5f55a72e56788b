import type { Call } from "./wire-call.ts";
import { done } from "./wire-fields.ts";
import * as people from "./wire-people.ts";

export const peopleCalls = {
  fetchCustomers: {
    method: "GET",
    path: "users/fetchCustomers",
    needs: "key",
    in: people.customersQuery,
    out: people.customers,
    summary: "The addresses that are registered, by pages of 100 at most; X-Total and X-TotalPages say how many.",
  },
  createUser: {
    method: "POST",
    path: "users/createUser",
    needs: "key",
    in: people.signup,
    out: people.signedUp,
    summary: "Adds a member without a subscription; the same as usersignup.",
  },
  usersignup: {
    method: "POST",
    path: "users/usersignup",
    needs: "key",
    in: people.signup,
    out: people.signedUp,
    summary: "Adds a member without a subscription.",
  },
  grabuserid: {
    method: "GET",
    path: "users/grabuserid",
    needs: "key",
    in: people.emailQuery,
    out: people.foundId,
    summary: "The number of the member with an address.",
  },
  grabtoken: {
    method: "POST",
    path: "users/grabtoken",
    needs: "key",
    in: people.tokenRequest,
    out: people.jwtToken,
    summary: "A session's token for an address and its password.",
  },
  login: {
    method: "POST",
    path: "users/login",
    needs: "member",
    in: people.logIn,
    out: people.user,
    summary: "The member whose credentials and token these are.",
  },
  getcurrentuser: {
    method: "POST",
    path: "users/getcurrentuser",
    needs: "member",
    in: people.ownId,
    out: people.currentUsers,
    summary: "The member, in a list of one.",
  },
  patchuser: {
    method: "PATCH",
    path: "users/patchuser",
    needs: "active",
    in: people.profilePatch,
    out: people.profile,
    summary: "Changes names and address.",
  },
  sendemail: {
    method: "POST",
    path: "email/sendemail",
    needs: "key",
    in: people.letterRequest,
    out: done,
    summary: "Sends one of the known letters.",
  },
} as const satisfies Record<string, Call>;

const reset = { method: "POST", needs: "key", out: done } as const;

export const resetCalls = {
  resetPassword: {
    ...reset,
    path: "bdpwr/v1/reset-password",
    in: people.resetRequest,
    summary: "Mails a code. The answer is the same whether an address is known or not.",
  },
  validateCode: { ...reset, path: "bdpwr/v1/validate-code", in: people.resetCode, summary: "Whether a code is right." },
  setPassword: {
    ...reset,
    path: "bdpwr/v1/set-password",
    in: people.resetPassword,
    summary: "Sets a new password and ends every session.",
  },
} as const satisfies Record<string, Call>;
