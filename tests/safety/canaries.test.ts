import { expect, test } from "vitest";

import { askAll, card, found, joinAndPay, keys, liveThere, openCanaryApp, passwords, person } from "./canary-life.ts";
import { production } from "../helpers/running-app.ts";

test("secrets and personal data are in no log line, address, error page or command output", async () => {
  await using app = await openCanaryApp();
  const browser = await joinAndPay(app);
  await liveThere(app, browser);
  const seen = await askAll(app);
  app.limitFiles(1);
  const fault = await browser.post("/login?reset=1", { intent: "reset-request", email: person.email });
  const failed = await app
    .openBrowser()
    .post("/login", { intent: "log-in", email: person.email, password: passwords.wrong });
  app.limitFiles(undefined);
  expect([fault.status, failed.status]).toEqual([503, 503]);
  for (const each of [fault, failed]) expect(each.text).not.toMatch(/canary-|SQLITE|\bat \//);

  const secrets = [...Object.values(passwords), ...Object.values(keys), production.SESSION_SECRET, ...found, card];
  expect(found.length).toBeGreaterThan(6);
  for (const secret of secrets) expect(seen, secret).not.toContain(secret);
  const log = app.output();
  for (const canary of [...secrets, ...Object.values(person), "canary.mail", "pm_card_visa", "canary-injected"])
    expect(log, canary).not.toContain(canary);
  const addresses = browser.addresses.join("\n");
  for (const canary of [
    ...secrets.filter((each) => !isLinkToken(each)),
    person.email,
    person.firstName,
    person.postcode,
  ])
    expect(addresses, canary).not.toContain(canary);

  const lines = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string });
  const events = new Set(lines.map(({ event }) => event));
  for (const event of [
    "open",
    "request",
    "a member logged in",
    "a log-in was refused",
    "a forgotten password was replaced",
    "a form of another site was refused",
    "a call without the key was refused",
    "a webhook event was refused: its signature is not the provider's",
  ]) {
    expect([...events]).toContain(event);
  }
}, 180_000);

/** Only an email's link carries its token in its address. */
function isLinkToken(text: string): boolean {
  return text.length > 20;
}
