import { expect, test } from "vitest";

import { readSmtpUrl } from "./smtp-url.ts";

test.each([
  ["smtps://u:p@mail.example.org", "from-start", 465],
  ["smtps://127.0.0.1:2465", "from-start", 2465],
  ["smtp://u:p@mail.example.org", "required", 587],
  ["smtp://relay.example.org:25", "if-offered", 25],
  ["smtp://relay.example.org?tls=required", "required", 587],
  ["smtp://u:p@mail.example.org?tls=off", "off", 587],
  ["smtp://localhost:1025", "unchecked", 1025],
  ["smtp://u:p@127.0.0.1", "unchecked", 587],
  ["smtp://u:p@[::1]:25/", "unchecked", 25],
  ["smtp://u:p@127.0.0.1?tls=required", "required", 587],
])("%s is TLS %s on port %i", (url, tls, port) => expect(readSmtpUrl(url)).toMatchObject({ tls, port }));

test("user and password are read as they were before they were escaped", () => {
  const { host, credentials } = readSmtpUrl("smtps://post%40example.org:a%2Fb%23c%25%3A@mail.example.org");
  expect(host).toBe("mail.example.org");
  expect(credentials).toEqual({ user: "post@example.org", password: "a/b#c%:" });
  expect(readSmtpUrl("smtp://[2001:db8::1]:25")).toMatchObject({ host: "2001:db8::1", credentials: undefined });
});

test.each([
  ["smtp://u:p@mail.example.org", 8],
  ["smtp://u:p@mail.example.org?connections=3", 3],
  ["smtps://u:p@mail.example.org?tls=required&connections=20", 20],
])("%s is asked over %i connections at most", (url, connections) =>
  expect(readSmtpUrl(url)).toMatchObject({ connections }),
);

test.each([
  "mail.example.org",
  "http://u:hunter2@mail.example.org",
  "smtp://",
  "smtp://u@mail.example.org",
  "smtp://:hunter2@mail.example.org",
  "smtp://u:100%hunter2@mail.example.org",
  "smtp://u:hunter2@mail.example.org/inbox",
  "smtp://u:hunter2@mail.example.org#x",
  "smtp://u:hunter2@mail.example.org?tls.rejectUnauthorized=false",
  "smtp://u:hunter2@mail.example.org?tls=maybe",
  "smtp://u:hunter2@mail.example.org?connections=0",
  "smtp://u:hunter2@mail.example.org?connections=21",
  "smtp://u:hunter2@mail.example.org?connections=",
  "smtps://u:hunter2@mail.example.org?tls=off",
])("%s is refused with what is wrong, and without its password", (url) => {
  expect(() => readSmtpUrl(url)).toThrow(TypeError);
  expect(() => readSmtpUrl(url)).not.toThrow("hunter2");
});
