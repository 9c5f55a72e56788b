import { data, RouterContextProvider, type ActionFunctionArgs } from "react-router";
import { expect, test } from "vitest";

import { runIntent, type Intent } from "./intents.ts";

const ADDRESS = "http://here.example/login";

function toArgs(init: RequestInit): ActionFunctionArgs {
  const request = new Request(ADDRESS, { method: "POST", ...init });
  return { request, url: new URL(ADDRESS), pattern: "/login", params: {}, context: new RouterContextProvider() };
}

const greet: Intent = (form) => ["Good night", form.get("name")];
const intents = { greet, "say-bye": () => "Bye", explode: () => Promise.reject(new Error("the room is on fire")) };

const badRequest = { init: { status: 400 }, data: expect.stringMatching(/^[A-Z].*\.$/) };

test("the function that the intent names gets the form and the request it came in", async () => {
  const args = toArgs({ body: new URLSearchParams({ intent: "greet", name: "Ada" }) });
  const seen: unknown[] = [];
  const answer = await runIntent(args, {
    ...intents,
    greet: (form, given) => {
      seen.push(given);
      return greet(form, given);
    },
  });
  expect(answer).toEqual(["Good night", "Ada"]);
  expect(seen).toEqual([args]);
});

test("forms with files in them are read too", async () => {
  const body = new FormData();
  body.append("name", "Ada");
  body.append("intent", "greet");
  body.append("avatar", new File(["png"], "ada.png"));
  expect(await runIntent(toArgs({ body }), intents)).toEqual(["Good night", "Ada"]);
});

test("a text comes without the characters that no database keeps, a file as it is", async () => {
  const body = new FormData();
  body.append("intent", "gr\0eet");
  body.append("name", "\0Ada\0");
  body.append("avatar", new File(["\0png"], "ada.png", { type: "image/png" }));
  const read: Intent = async (form) => {
    const avatar = form.get("avatar");
    return [form.get("name"), avatar instanceof File && [avatar.name, avatar.type, await avatar.text()]];
  };
  expect(await runIntent(toArgs({ body }), { greet: read })).toEqual(["Ada", ["ada.png", "image/png", "\0png"]]);
});

test("each of a screen's forms goes its own way, and the first intent counts", async () => {
  expect(await runIntent(toArgs({ body: new URLSearchParams("intent=say-bye") }), intents)).toBe("Bye");
  expect(await runIntent(toArgs({ body: new URLSearchParams("intent=say-bye&intent=greet") }), intents)).toBe("Bye");
});

test.each([
  "",
  "name=Ada",
  "intent=",
  "intent=unknown",
  "intent=Greet",
  "intent=greet%20",
  "Intent=greet",
  "intent[]=greet",
  "intent=__proto__",
  "intent=toString",
  "intent=constructor",
  "intent=hasOwnProperty",
  "intent=unknown&intent=greet",
])("the form %j is unknown to this screen", async (form) => {
  await expect(runIntent(toArgs({ body: new URLSearchParams(form) }), intents)).rejects.toMatchObject(badRequest);
});

test("a file is no intent", async () => {
  const body = new FormData();
  body.append("intent", new File(["greet"], "greet"));
  await expect(runIntent(toArgs({ body }), intents)).rejects.toMatchObject(badRequest);
});

const multipart = "multipart/form-data; boundary=right";

test.each([
  ["a multipart body with another boundary", multipart, '--wrong\r\nContent-Disposition: form-data; name="intent"\r\n'],
  ["a multipart body without a boundary", "multipart/form-data", "--right--"],
  [
    "a multipart body that breaks off",
    multipart,
    '--right\r\nContent-Disposition: form-data; name="intent"\r\n\r\ngre',
  ],
  ["an empty multipart body", multipart, ""],
  ["plain text", "text/plain", "intent=greet"],
  ["JSON", "application/json", '{"intent":"greet"}'],
  ["a made-up type", "nonsense", "intent=greet"],
  ["a type that a Request has no word for", "", "intent=greet"],
])("%s cannot be read", async (_body, type, body) => {
  const request = toArgs({ body, headers: { "Content-Type": type } });
  await expect(runIntent(request, intents)).rejects.toMatchObject(badRequest);
});

test("a post without any body cannot be read", async () => {
  await expect(runIntent(toArgs({}), intents)).rejects.toMatchObject(badRequest);
});

test("a body that ends in an error cannot be read", async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("intent=greet&name="));
      controller.error(new Error("too large"));
    },
  });
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  await expect(runIntent(toArgs({ body, headers, duplex: "half" } as RequestInit), intents)).rejects.toMatchObject(
    badRequest,
  );
});

test("faults and refusals of a form are its own, not called unreadable", async () => {
  await expect(runIntent(toArgs({ body: new URLSearchParams("intent=explode") }), intents)).rejects.toThrow("on fire");
  const refusal = data("Not now.", { status: 409 });
  const refuse = () => {
    throw refusal;
  };
  await expect(runIntent(toArgs({ body: new URLSearchParams("intent=refuse") }), { refuse })).rejects.toBe(refusal);
});
