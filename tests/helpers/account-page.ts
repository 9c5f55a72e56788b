import sharp from "sharp";
import { expect } from "vitest";

import { emailsTo } from "./mailbox.ts";
import type { Browser, Site } from "./site.ts";

export const ada = "member@dormouse.example";
export const tom = "team@dormouse.example";
export const lena = "lapsed@dormouse.example";
export const PASSWORD = "sleep-well-tonight";

export async function logIn(site: Site, email: string, address = "198.51.100.1"): Promise<Browser> {
  const browser = site.openBrowser({ address });
  expect((await browser.logIn(email)).status).toBe(303);
  return browser;
}

/** As Ada's form sends them. */
export const details = {
  intent: "profile",
  firstName: "Ada",
  lastName: "Lovell",
  email: ada,
  shownFirstName: "Ada",
  shownLastName: "Lovell",
  shownEmail: ada,
};

type Sent = { picture?: File; path?: string };

/** As a browser does: with a file, or the empty one of an untouched field. */
export function save(
  browser: Browser,
  fields: Record<string, string> = {},
  { picture, path = "/?account=open" }: Sent = {},
) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...details, ...fields })) body.append(name, value);
  body.append("picture", picture ?? new File([], ""));
  return browser.request(path, { method: "POST", body, headers: { Origin: browser.origin } });
}

export async function findMember(site: Site, email: string) {
  const member = await site.services.accounts.findByEmail(email);
  if (!member) throw new Error(`No member has the address ${email}`);
  return member;
}

export async function drawPng(): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp({ create: { width: 20, height: 20, channels: 3, background: "#f0bf63" } });
  return new Uint8Array(await image.png().toBuffer());
}

export const pictureNamed = async (name: string) => new File([await drawPng()], name);

export async function lastEmail(site: Site, email: string) {
  await site.services.outbox.deliver();
  return emailsTo(email, site.emails).at(-1);
}

export const changePassword = (browser: Browser, fields: Record<string, string> = {}) =>
  browser.post("/?account=open", {
    intent: "password",
    oldPassword: PASSWORD,
    password: "moss-lantern-42",
    passwordConfirmation: "moss-lantern-42",
    ...fields,
  });
