import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { unanswered } from "../routes/member/dashboard/account/unanswered.ts";
import { NO_ANSWER, OFFLINE, sendOrKeep } from "./send-or-keep.ts";

beforeEach(() => void vi.stubGlobal("document", {}));
afterEach(() => void vi.unstubAllGlobals());

function sending(intent: string, error: Error) {
  const body = new FormData();
  const secrets = { currentPassword: "sleep-well-tonight", emailCode: "123456" };
  for (const [name, value] of Object.entries({ intent, firstName: "Zoë", email: "zoe@example.org", ...secrets }))
    body.append(name, value);
  body.append("picture", new File(["png"], "me.png"));
  const request = new Request("http://here.example/?account=open", { method: "POST", body });
  return { request, serverAction: () => Promise.reject(error) };
}

const lost = new TypeError("Failed to fetch");

test("a form that got no answer says so, and leaves what was typed where it is", async () => {
  const answer = await sendOrKeep(sending("profile", lost), unanswered);
  const result = { status: "error", error: { "": [OFFLINE] } };
  expect(answer).toHaveProperty("data", { form: "profile", result });
  expect(answer).toHaveProperty("init.status", NO_ANSWER);
});

test("a colour scheme that cannot be saved does not break the page", async () => {
  expect(await sendOrKeep(sending("scheme", lost), unanswered)).toHaveProperty("data", null);
});

test("what the screen has no words for, and faults that are no lost connection, are not called one", async () => {
  await expect(sendOrKeep(sending("toString", lost), unanswered)).rejects.toBe(lost);
  const fault = new Error("the server is on fire");
  await expect(sendOrKeep(sending("profile", fault), unanswered)).rejects.toBe(fault);
});
