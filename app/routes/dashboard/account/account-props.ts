import type { AccountAnswer } from "./account-answer.ts";
import type { AccountScreen } from "./account-screen.ts";

export type AccountProps = { account: AccountScreen; answer: AccountAnswer | undefined; avatar: string | undefined };

/** The id of what stands in My Account, where the server has sent it. */
export const CONTENT_ID = "account-content";
