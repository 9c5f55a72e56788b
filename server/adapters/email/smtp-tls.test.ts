import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, expect, test } from "vitest";

import { message } from "../../../tests/contracts/mailer.ts";
import { smtpCertificate } from "../../../tests/fakes/smtp-certificate.ts";
import { openSmtpPost } from "../../../tests/helpers/smtp-post.ts";

const account = { user: "post@dormouse.example", password: "moss/lantern#42" };
const login = "post%40dormouse.example:moss%2Flantern%2342";

const trusted = getCACertificates("default");
setDefaultCACertificates([smtpCertificate.cert]);
afterAll(() => setDefaultCACertificates(trusted));

test.each([
  ["smtps", { isSecure: true }, "", true],
  ["smtp", { hasStartTls: true }, "?tls=required", true],
  ["smtp", { hasStartTls: true }, "", true],
  ["smtp", { hasStartTls: true }, "?tls=off", false],
  ["smtp", {}, "", false],
])("%s to %j with “%s” is TLS: %s", async (...[scheme, options, query, isSecure]) => {
  await using post = await openSmtpPost({ ...options, account }, { scheme, query, user: login });
  expect(await post.mailer.send(message)).toEqual({ ok: true });
  expect(post.sink.emails).toMatchObject([{ isSecure, user: account.user }]);
  expect(await post.mailer.check()).toMatchObject({ isWell: true });
});

test("TLS that is wanted and not offered sends nothing, least of all the password", async () => {
  await using post = await openSmtpPost({ account }, { user: login, query: "?tls=required" });
  expect(await post.mailer.send(message)).toMatchObject({ ok: false, isPermanent: false });
  const says = expect.stringContaining("is not reached safely");
  expect(await post.mailer.check()).toEqual({ isWell: false, says });
});

test("a wrong password is nobody's last word, and the check says what to do without telling it", async () => {
  await using post = await openSmtpPost({ account }, { user: "post:hunter2" });
  const delivery = await post.mailer.send(message);
  expect(delivery).toMatchObject({ ok: false, isPermanent: false });
  const check = await post.mailer.check();
  expect(check).toMatchObject({
    isWell: false,
    says: expect.stringContaining("does not take our user and password"),
  });
  expect(JSON.stringify([delivery, check])).not.toContain("hunter2");
});

test("a password for a server that asks for none is a fault to be told, not one to be overlooked", async () => {
  await using post = await openSmtpPost({}, { user: login });
  expect(await post.mailer.check()).toMatchObject({ isWell: false });
  expect(await post.mailer.send(message)).toMatchObject({ ok: false, isPermanent: false });
});
