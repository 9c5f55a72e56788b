import { expect, test } from "vitest";

import { bad, type Manner, openHostileProvider } from "../../../tests/fakes/hostile-provider.ts";
import { createQuietLog } from "../../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { type CallName, calls } from "../wire.ts";
import { createProviderClient } from "./client.ts";

const KEY = "canary-key-3f9a1c77d2";
const TOKEN = "canary-token-0a1b2c3d4e";

async function openLine(manner: Manner) {
  const provider = await openHostileProvider();
  provider.behave(manner);
  const log = createQuietLog();
  const clock = createTestClock();
  const client = createProviderClient({ ...provider, key: KEY, clock, log });
  return { provider, client, clock, log, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
}

/** Calls whose answer only confirms success: any 200 is accepted. */
const bare = new Set<CallName>([
  "sendemail",
  "managesubscriptionstatus",
  "activatesubscription",
  "postfave",
  "resetPassword",
  "validateCode",
  "setPassword",
]);

const names = Object.keys(calls) as CallName[];
/** Two calls meet a server that sends a hundred megabytes. */
const namesFor = (manner: Manner) =>
  manner === "huge" || manner === "bomb" ? (["getcurrentuser", "fetchCustomers"] as const) : names;

test.each(bad)(
  "whatever a provider does (%s), a call ends in time with a fault that names no secret",
  async (manner) => {
    await using line = await openLine(manner);
    // One after another: the time of all parallel ones is up at once.
    for (const name of namesFor(manner)) expect(await findWrong(line, { name, manner })).toBeUndefined();
  },
);

type Line = Awaited<ReturnType<typeof openLine>>;

/** `undefined` when a call ends as it should. */
async function findWrong({ provider, clock, log }: Line, { name, manner }: { name: CallName; manner: Manner }) {
  const client = createProviderClient({ ...provider, key: KEY, clock, log });
  const input = { id: 7, email: "canary@secret.example", password: "canary-password" } as never;
  const outcome = await client.call(name, input, { token: TOKEN }).catch((error: unknown) => error as Error);
  if (!(outcome instanceof Error)) {
    // No shape is promised for these, or for an order's answer, so wrong fields are left out.
    const isTolerant = bare.has(name) || manner === "wrong-types";
    return isTolerant ? undefined : `${name} took ${JSON.stringify(manner)}: ${JSON.stringify(outcome)}`;
  }
  if (outcome.name !== "ProviderError") return `${name} failed by ${outcome.name}`;
  const text = `${outcome.stack} ${JSON.stringify(log.lines)} ${String(outcome.cause)}`;
  return text.includes("canary") ? `${name} tells a secret: ${text}` : undefined;
}

test("an answer is read up to a limit, compressed or not", async () => {
  await using line = await openLine("huge");
  await expect(line.client.call("fetchCustomers", {})).rejects.toThrow(/more than 8000000 bytes/);
  await line.provider[Symbol.asyncDispose]();
  expect(line.provider.sentBytes()).toBeLessThan(40_000_000);
  await using packed = await openLine("bomb");
  await expect(packed.client.call("fetchCustomers", {})).rejects.toThrow(/more than 8000000 bytes/);
  await expect(packed.client.readList("getwatches", { token: TOKEN })).rejects.toThrow(/more than 64000000 bytes/);
});

test("redirects are not followed, so that no other host gets key and token", async () => {
  await using line = await openLine("redirect");
  await expect(line.client.call("getcurrentuser", { id: 1 }, { token: TOKEN })).rejects.toThrow(/sends us elsewhere/);
  expect(line.provider.seen).toHaveLength(1);
});

test("a reading call is tried twice, a writing call once", async () => {
  await using line = await openLine("reset");
  await expect(line.client.call("getsubscriptionstatus", { id: 1 })).rejects.toMatchObject({ isUnavailable: true });
  expect(line.provider.seen).toHaveLength(2);
  await expect(line.client.call("sendcombined", {}, { token: TOKEN })).rejects.toMatchObject({ isUnavailable: true });
  expect(line.provider.seen).toHaveLength(3);
});

test("a passing fault is retried without an error", async () => {
  await using line = await openLine({ json: true });
  let count = 0;
  line.provider.behave(() => (++count === 1 ? { text: "Bad gateway", status: 502 } : { json: true }));
  expect(await line.client.call("getsubscriptionstatus", { id: 1 })).toEqual({ ok: true, answer: true });
});

test("a server error with a message is a refusal, one without is a fault", async () => {
  await using line = await openLine({
    json: { message: "The code is not valid.", data: { status: 500 } },
    status: 500,
  });
  const ask = () => line.client.call("validateCode", { email: "a@b.example", code: "1" });
  expect(await ask()).toEqual({ ok: false, status: 500, message: "The code is not valid." });
  line.provider.behave("html-500");
  await expect(ask()).rejects.toThrow(/answered 500/);
});

test("after five failures the circuit opens, and later one call tries again", async () => {
  await using line = await openLine("reset");
  const ask = () => line.client.call("sendcombined", {}, { token: TOKEN });
  for (let count = 0; count < 5; count += 1) await expect(ask()).rejects.toThrow(/cannot be reached/);
  const requestCount = line.provider.seen.length;
  await expect(ask()).rejects.toMatchObject({ isUnavailable: true, message: /did not answer lately/ });
  expect(line.provider.seen).toHaveLength(requestCount);

  line.clock.advance(15_000);
  const tries = await Promise.allSettled([ask(), ask(), ask()]);
  expect(tries.every(({ status }) => status === "rejected")).toBe(true);
  expect(line.provider.seen).toHaveLength(requestCount + 1);

  line.clock.advance(15_000);
  line.provider.behave({ json: { id: 3 } });
  expect(await ask()).toMatchObject({ ok: true });
  expect(await Promise.all([ask(), ask()])).toMatchObject([{ ok: true }, { ok: true }]);
});

test("refusals do not open the circuit", async () => {
  await using line = await openLine({ json: { message: "no" }, status: 401 });
  const ask = () => line.client.call("grabtoken", { email: "a@b.example", password: "x" });
  for (let count = 0; count < 20; count += 1) expect(await ask()).toMatchObject({ ok: false, status: 401 });
});
