import { once } from "node:events";
import { createServer } from "node:https";
import { expect, test } from "vitest";

import { smtpCertificate } from "../fakes/smtp-sink.ts";
import { openApp } from "../helpers/app.ts";
import { openFolder } from "../helpers/folder.ts";
import { listen } from "../helpers/loopback.ts";

/** Pretends to be Stripe, GoCardless, the CMS and the provider, with a self-signed certificate. */
async function openImpostor() {
  const requests: string[] = [];
  const server = createServer(smtpCertificate, (request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`);
    response.writeHead(200, { "Content-Type": "application/json" }).end("[]");
  });
  const listening = await listen(server);
  return { ...listening, requests, url: `https://localhost:${listening.port}` };
}

const keys = {
  STRIPE_SECRET_KEY: "sk_test_a",
  STRIPE_PUBLISHABLE_KEY: "pk_test_b",
  GOCARDLESS_ACCESS_TOKEN: "sandbox_a",
};

test.each([
  ["Stripe", "cards", "STRIPE_API_BASE"],
  ["GoCardless", "Direct Debits", "GOCARDLESS_API_BASE"],
  ["a WordPress", "content", "CMS_URL"],
  ["a provider", "provider", "API_URL"],
])("%s with an unsigned certificate is sent nothing: no key, no token, no question", async (_name, part, setting) => {
  await using impostor = await openImpostor();
  await using place = await openFolder();
  const given = { CMS_URL: { CMS_TOKEN: "app:abcd efgh" }, API_URL: { API_KEY: "a-key-for-tests" } }[setting] ?? keys;
  await using app = await openApp({
    env: { DATA_DIR: place.folder, ...given, [setting]: impostor.url },
    hasContentAtOnce: false,
  });
  const answer = await app.services.parts[part]?.check();
  expect(answer?.isWell).toBe(false);
  for (const key of Object.values(given)) expect(answer?.message).not.toContain(key);
  expect(impostor.requests).toEqual([]);
});

test("the impostor does receive requests that ignore certificates", async () => {
  await using impostor = await openImpostor();
  const { request } = await import("node:https");
  const sending = request(`${impostor.url}/x`, { ca: smtpCertificate.cert }).end();
  await once(sending, "response");
  expect(impostor.requests).toEqual(["GET /x "]);
});
