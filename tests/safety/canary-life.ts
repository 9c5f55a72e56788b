import { expect } from "vitest";

import { startGoCardlessFake } from "../fakes/gocardless.ts";
import { startStripeFake } from "../fakes/stripe.ts";
import { createDormouse } from "../helpers/dormouse.ts";
import { codeIn, emailsTo, linkIn, readMailFolder } from "../helpers/mailbox.ts";
import { production, startApp, type ProcessBrowser } from "../helpers/running-app.ts";

/** Personal data and secrets, which must not leak. */
export const person = {
  email: "canary.mail@example.org",
  newEmail: "canary.moved@example.org",
  firstName: "Canaryfirst",
  lastName: "Canarylast",
  newName: "Canarythird",
  postcode: "CY9 4NA",
  term: "canaryterm",
};
export const passwords = {
  first: "canary-moss-lantern-1",
  second: "canary-moss-lantern-2",
  wrong: "canary-moss-lantern-3",
};
export const keys = {
  STRIPE_SECRET_KEY: "sk_test_canary0stripe0secret",
  STRIPE_WEBHOOK_SECRET: "whsec_canary0stripe0webhook",
  GOCARDLESS_ACCESS_TOKEN: "sandbox_canary0gocardless",
  GOCARDLESS_WEBHOOK_SECRET: "canary0gocardless0webhook",
  API_KEY: "canary-api-key-5Tz8Qw1Er4Ui7Op0As",
};
/** No other test pays with this card. */
export const card = "4000056655665556";
/** A typed line break must not make a line in the log. */
const INJECTED = '\r\n{"level":30,"event":"canary-injected"}';

/** In production, with both providers and all sent emails. */
export async function openCanaryApp() {
  const stripe = await startStripeFake({
    secretKey: keys.STRIPE_SECRET_KEY,
    publishableKey: "pk_test_canary",
    webhookSecret: keys.STRIPE_WEBHOOK_SECRET,
  });
  const goCardless = await startGoCardlessFake({
    accessToken: keys.GOCARDLESS_ACCESS_TOKEN,
    webhookSecret: keys.GOCARDLESS_WEBHOOK_SECRET,
  });
  const env = {
    ...keys,
    STRIPE_PUBLISHABLE_KEY: "pk_test_canary",
    STRIPE_API_BASE: stripe.url,
    GOCARDLESS_API_BASE: goCardless.apiBase,
  };
  const app = await startApp(env);
  const dormouse = createDormouse({ ...production, ...env, DATA_DIR: app.dataDir });
  const findEmail = async (to: string, subject: string) => {
    const find = async () =>
      emailsTo(to, await readMailFolder(`${app.dataDir}/outbox`)).findLast((each) => each.subject.endsWith(subject));
    await expect.poll(find, { timeout: 15_000 }).toBeDefined();
    return find();
  };
  return {
    ...app,
    stripe,
    dormouse,
    findEmail,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await stripe[Symbol.asyncDispose]();
      await goCardless[Symbol.asyncDispose]();
    },
  };
}

type App = Awaited<ReturnType<typeof openCanaryApp>>;

/** Temporary secrets, as they occur. */
export const found: string[] = [];

/** Signs up by the emailed code, after a mistake, and pays; then webhook events with bad signatures come. */
export async function joinAndPay({ openBrowser, findEmail, stripe }: App): Promise<ProcessBrowser> {
  const browser = openBrowser();
  const { email, firstName, lastName, postcode } = person;
  const details = {
    intent: "details",
    accountType: "individual",
    code: "",
    firstName: firstName + INJECTED,
    lastName,
    email,
  };
  const both = { password: passwords.first, passwordConfirmation: passwords.first };
  expect(
    (await browser.post("/signup?step=1", { ...details, ...both, passwordConfirmation: passwords.wrong })).status,
  ).toBe(400);
  expect((await browser.post("/signup?step=1", { ...details, ...both })).status).toBe(303);
  const mail = await findEmail(email, "Confirm your email address");
  const code = codeIn(mail);
  found.push(code, new URL(linkIn(mail)).searchParams.get("verify") ?? "");
  expect((await browser.post("/signup?step=2", { intent: "verify", oneTimeCode: code })).status).toBe(303);
  expect((await browser.post("/signup?step=2", { intent: "plan", planType: "3" })).status).toBe(303);
  const pay = { intent: "pay", plan: "3", postcode, methodId: "pm_card_visa", number: card };
  expect((await browser.post("/signup?step=3", pay)).location).toContain("/signup?step=4");
  await browser.get("/signup?step=4");
  for (const { body, headers } of stripe.takeWebhooks()) {
    expect(
      (await browser.post("/webhooks/stripe", {}, { "Stripe-Signature": `${headers["Stripe-Signature"]}0` })).status,
    ).toBe(400);
    expect(body).toContain("livemode");
  }
  return browser;
}

/** Searches, guesses wrongly, changes the account, resets the password, uses the API. */
export async function liveThere({ openBrowser, findEmail }: App, browser: ProcessBrowser): Promise<void> {
  const { email, newEmail, firstName, lastName, newName, term } = person;
  for (const path of [
    "/",
    `/?q=${term}`,
    "/?account=open",
    "/?receipt=D-2026-000001",
    "/?view=read&item=1001",
    "/canary%0d%0a%7Bx%7D",
  ])
    await browser.get(path, { "User-Agent": `${term} ${email}` });
  const form = {
    intent: "profile",
    firstName: newName,
    lastName,
    email: newEmail,
    shownFirstName: `${firstName} {"level":30,"event":"canary-injected"}`,
    shownLastName: lastName,
    shownEmail: email,
  };
  const sent = new FormData();
  for (const [name, value] of Object.entries({ ...form, currentPassword: passwords.first })) sent.append(name, value);
  sent.append("picture", new File([], ""));
  expect((await browser.post("/?account=open", sent)).status).toBe(303);
  const proof = await findEmail(newEmail, "Confirm your new email address");
  found.push(codeIn(proof));

  const stranger = openBrowser();
  const logIn = (password: string) => stranger.post("/login", { intent: "log-in", email, password });
  expect((await logIn(passwords.wrong)).status).toBe(400);
  expect(
    (await stranger.post("/login", { intent: "log-in", email: email + INJECTED, password: passwords.wrong + INJECTED }))
      .status,
  ).toBe(400);
  await stranger.post(
    "/login",
    { intent: "log-in", email, password: passwords.first },
    { "Sec-Fetch-Site": "cross-site" },
  );
  await stranger.post("/login?reset=1", { intent: "reset-request", email });
  const mail = await findEmail(email, "Choose a new password");
  found.push(codeIn(mail), new URL(linkIn(mail)).searchParams.get("token") ?? "");
  await stranger.get(linkIn(mail));
  expect((await stranger.post("/login?reset=2", { intent: "reset-code", code: codeIn(mail) })).status).toBe(303);
  expect(
    (
      await stranger.post("/login?reset=3", {
        intent: "reset-password",
        password: passwords.second,
        passwordConfirmation: passwords.second,
      })
    ).status,
  ).toBe(303);
  expect((await logIn(passwords.second)).location).toBe("/");

  const api = { "X-Api-Key": keys.API_KEY, "Content-Type": "application/json" };
  await stranger.post("/api/users/grabtoken", { email, password: passwords.second }, api);
  await stranger.get(`/api/users/grabuserid?email=${email}`, { ...api, "X-Api-Key": `${keys.API_KEY}x` });
  found.push(...[...browser.cookies.values(), ...stranger.cookies.values()].filter((value) => value.length > 20));
}

/** Commands answer operators about members, without secrets. */
export async function askAll({ dormouse }: App): Promise<string> {
  const commands = [
    ["member", "show", person.email],
    ["member", "export", person.email],
    ["mail", "list"],
    ["doctor"],
    ["job", "list"],
    ["code", "create", "--seats", "0"],
    ["member", "show", "nobody@example.org"],
  ];
  const runs = await Promise.all(commands.map((args) => dormouse.run(...args)));
  return runs.map(({ stdout, stderr }) => stdout + stderr).join("\n");
}
