import { OFFLINE, OFFLINE_BUTTON, type Unanswered } from "../../../forms/send-or-keep.ts";
import type { AccountForm } from "./account-answer.ts";
import type { accountForms } from "./actions.ts";

/** What My Account says of a form that got no answer, and where. */
export const unanswered: Unanswered<AccountForm, keyof typeof accountForms> = {
  words: {
    profile: ["profile", OFFLINE],
    "remove-picture": ["profile", OFFLINE_BUTTON],
    "email-code": ["email-code", OFFLINE],
    "email-resend": ["email-resend", OFFLINE_BUTTON],
    "email-cancel": ["email-resend", OFFLINE_BUTTON],
    password: ["password", OFFLINE],
    device: ["devices", OFFLINE_BUTTON],
    devices: ["devices", OFFLINE_BUTTON],
    close: ["close", OFFLINE],
  },
  kept: ["firstName", "lastName", "email"],
};
