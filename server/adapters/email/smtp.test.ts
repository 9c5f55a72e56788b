import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { message } from "../../../tests/contracts/mailer.ts";
import { smtpCertificate, type SmtpManner, type SmtpSink, startSmtpSink } from "../../../tests/fakes/smtp-sink.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Mailer } from "../../platform/email/sending.ts";
import { createSmtp } from "./smtp.ts";

type SmtpApp = AsyncDisposable & { sink: SmtpSink; mailer: Mailer };

type Way = { scheme?: string; user?: string; query?: string };

/** `user` goes into the address unchanged: `name:password`, with special characters as %xx. */
async function openSmtpApp(
  options: Parameters<typeof startSmtpSink>[0] = {},
  { scheme = "smtp", user = "", query = "" }: Way = {},
): Promise<SmtpApp> {
  const clock = createTestClock();
  const sink = await startSmtpSink({ onSilence: () => clock.advance(MINUTE_IN_MS), ...options });
  const url = `${scheme}://${user ? `${user}@` : ""}127.0.0.1:${sink.port}${query}`;
  const mailer = createSmtp({
    url,
    from: "Dormouse <hello@dormouse.example>",
    replyTo: "help@dormouse.example",
    timeOut: clock.timeOut,
  });
  return {
    sink,
    mailer,
    async [Symbol.asyncDispose]() {
      mailer.close();
      await sink.stop();
    },
  };
}

const listSubjects = (sink: SmtpSink) => sink.emails.map(({ mail }) => mail.subject);

test("an email that the server keeps waiting holds up none of the next, each over a connection of its own", async () => {
  await using app = await openSmtpApp({ onSilence: () => undefined });
  app.sink.manner = "hangs";
  const hung = [1, 2, 3].map((count) => app.mailer.send({ ...message, id: `hung-${count}` }));
  await expect.poll(() => app.sink.emails.length).toBe(3);
  app.sink.manner = "well";
  expect(await app.mailer.send({ ...message, id: "next" })).toEqual({ ok: true });
  await app.sink.stop();
  for (const sending of hung) expect(await sending).toMatchObject({ ok: false, isPermanent: false });
});

test("a server that allows one connection gets one email after another", async () => {
  await using app = await openSmtpApp({}, { query: "?connections=1" });
  expect(app.mailer.atOnce).toBe(1);
  await Promise.all([1, 2, 3].map((count) => app.mailer.send({ ...message, id: `mail-${count}` })));
  expect([app.sink.connections(), app.sink.emails.length]).toEqual([1, 3]);
});

test("an email goes to its one recipient, from the app, over a connection that is kept", async () => {
  await using app = await openSmtpApp();
  for (const id of ["a", "b", "c"]) expect(await app.mailer.send({ ...message, id })).toEqual({ ok: true });
  expect(app.sink.connections()).toBe(1);
  expect(app.sink.emails).toHaveLength(3);
  expect(app.sink.emails[0]).toMatchObject({ from: "hello@dormouse.example", to: ["ada@dormouse.example"] });
  expect(app.sink.emails[0]?.mail.from).toEqual({ name: "Dormouse", address: "hello@dormouse.example" });
  for (const line of app.sink.emails[0]?.raw.split("\r\n") ?? []) expect(line.length).toBeLessThanOrEqual(998);
});

test("no email is lost when the server closes an idle connection", async () => {
  await using app = await openSmtpApp();
  await app.mailer.send(message);
  await app.sink.stop();
  await using back = await startSmtpSink({ port: app.sink.port });
  expect(await app.mailer.send(message)).toEqual({ ok: true });
  expect(listSubjects(back)).toEqual(["Confirm your email address"]);
});

describe("permanent and temporary failures", () => {
  test.each<[SmtpManner, boolean, RegExp]>([
    ["refuses-recipient", true, /^The mail server said: 550 5\.1\.1 No such user here$/],
    ["refuses-email", true, /554 5\.6\.0/],
    ["greylists", false, /450 4\.2\.0 Greylisted/],
    ["is-full", false, /452 4\.3\.1/],
    ["refuses-sender", false, /550 5\.1\.8/],
    ["refuses-relay", false, /554 5\.7\.1 Relay access denied/],
    ["resets-amid-letter", false, /./],
    ["drops-before-yes", false, /./],
  ])("a server that %s: for good is %s", async (manner, isPermanent, reason) => {
    await using app = await openSmtpApp();
    app.sink.manner = manner;
    expect(await app.mailer.send(message)).toEqual({ ok: false, isPermanent, reason: expect.stringMatching(reason) });
    app.sink.manner = "well";
    expect(await app.mailer.send({ ...message, subject: "The next one" })).toEqual({ ok: true });
    expect(listSubjects(app.sink)).toContain("The next one");
  });

  test.each<SmtpManner>(["silent", "hangs"])("a server that is %s is left in time", async (manner) => {
    await using app = await openSmtpApp();
    app.sink.manner = manner;
    expect(await app.mailer.send(message)).toMatchObject({ ok: false, isPermanent: false });
    app.sink.manner = "well";
    expect(await app.mailer.send(message)).toEqual({ ok: true });
  });

  test("an unreachable server and an unknown host are temporary failures", async () => {
    const away = await startSmtpSink();
    await away.stop();
    const from = "hello@dormouse.example";
    for (const url of [`smtp://127.0.0.1:${away.port}`, "smtp://mail.invalid"]) {
      const mailer = createSmtp({ url, from, replyTo: from });
      expect(await mailer.send(message)).toMatchObject({ ok: false, isPermanent: false });
      mailer.close();
    }
  });
});

test("a domain beyond ASCII reaches a server that knows only ASCII", async () => {
  await using app = await openSmtpApp({ knowsUtf8: false });
  expect(await app.mailer.send({ ...message, to: "otto@müller.example" })).toEqual({ ok: true });
  expect(app.sink.emails[0]?.raw).toContain("\nTo: otto@xn--mller-kva.example\r\n");
});

test("an address beyond ASCII is refused by a server that knows only ASCII, and the connection goes on", async () => {
  await using app = await openSmtpApp({ knowsUtf8: false });
  const delivery = await app.mailer.send({ ...message, to: "zoë@dormouse.example" });
  expect(delivery).toMatchObject({ ok: false, isPermanent: true, reason: expect.stringContaining("zoë") });
  expect(app.sink.emails).toEqual([]);
  expect(await app.mailer.send(message)).toEqual({ ok: true });
});

test.each([
  ["smtps", { isSecure: true }, ""],
  ["smtp", { hasStartTls: true }, "?tls=required"],
])("an untrusted certificate is refused by %s", async (scheme, options, query) => {
  await using app = await openSmtpApp(options, { scheme, query });
  expect(await app.mailer.send(message)).toMatchObject({ ok: false, isPermanent: false });
  expect(await app.mailer.check()).toEqual({
    isWell: false,
    message: expect.stringMatching(/^The mail server \S+ can't be reached safely: .*self-signed.*$/),
  });
  expect(app.sink.emails).toEqual([]);
});

test("checking names what is wrong in one line: a dead port, a silent server, an unknown host", async () => {
  await using app = await openSmtpApp();
  app.sink.manner = "silent";
  const silent = await app.mailer.check();
  await app.sink.stop();
  const away = await app.mailer.check();
  const unknown = await createSmtp({
    url: "smtp://mail.invalid",
    from: "a@b.example",
    replyTo: "a@b.example",
  }).check();
  expect(silent.message).toContain("does not answer in time");
  expect(away.message).toMatch(/isn't accepting emails: .*ECONNREFUSED/);
  expect(unknown.message).toContain("can't be found");
  for (const { isWell, message: reason } of [silent, away, unknown]) {
    expect(isWell).toBe(false);
    expect(reason).not.toContain("\n");
  }
});

test("a closed mailer refuses new emails and finishes those on their way", async () => {
  await using app = await openSmtpApp();
  const { promise, resolve } = Promise.withResolvers<void>();
  app.sink.awaited = promise;
  const onItsWay = app.mailer.send(message);
  await expect.poll(() => app.sink.connections()).toBe(1);
  app.mailer.close();
  resolve();
  expect(await onItsWay).toEqual({ ok: true });
  expect(await app.mailer.send(message)).toMatchObject({ ok: false, isPermanent: false });
});

describe("a server whose certificate is trusted", () => {
  const account = { user: "post@dormouse.example", password: "moss/lantern#42" };
  const login = "post%40dormouse.example:moss%2Flantern%2342";

  const trusted = getCACertificates("default");
  beforeAll(() => setDefaultCACertificates([smtpCertificate.cert]));
  afterAll(() => setDefaultCACertificates(trusted));

  test.each([
    ["smtps", { isSecure: true }, "", true],
    ["smtp", { hasStartTls: true }, "?tls=required", true],
    ["smtp", { hasStartTls: true }, "", true],
    ["smtp", { hasStartTls: true }, "?tls=off", false],
    ["smtp", {}, "", false],
  ])("%s to %j with “%s” is TLS: %s", async (...[scheme, options, query, isSecure]) => {
    await using app = await openSmtpApp({ ...options, account }, { scheme, query, user: login });
    expect(await app.mailer.send(message)).toEqual({ ok: true });
    expect(app.sink.emails).toMatchObject([{ isSecure, user: account.user }]);
    expect(await app.mailer.check()).toMatchObject({ isWell: true });
  });

  test("nothing is sent, not even the password, when TLS is required and not offered", async () => {
    await using app = await openSmtpApp({ account }, { user: login, query: "?tls=required" });
    expect(await app.mailer.send(message)).toMatchObject({ ok: false, isPermanent: false });
    const fault = expect.stringContaining("can't be reached safely");
    expect(await app.mailer.check()).toEqual({ isWell: false, message: fault });
  });

  test("a wrong password is a temporary failure, and the check says what to do without repeating it", async () => {
    await using app = await openSmtpApp({ account }, { user: "post:hunter2" });
    const delivery = await app.mailer.send(message);
    expect(delivery).toMatchObject({ ok: false, isPermanent: false });
    const check = await app.mailer.check();
    expect(check).toMatchObject({
      isWell: false,
      message: expect.stringContaining("rejects our user and password"),
    });
    expect(JSON.stringify([delivery, check])).not.toContain("hunter2");
  });

  test("a password for a server without log-in is reported as a fault", async () => {
    await using app = await openSmtpApp({}, { user: login });
    expect(await app.mailer.check()).toMatchObject({ isWell: false });
    expect(await app.mailer.send(message)).toMatchObject({ ok: false, isPermanent: false });
  });
});
