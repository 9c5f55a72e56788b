import { randomUUID } from "node:crypto";

import type { Page } from "@playwright/test";

import { after, DAY_IN_MS } from "../../server/platform/clock.ts";
import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { readConfig } from "../../server/config.ts";
import { createServices, type Services } from "../../server/services.ts";
import type { Site } from "./fixtures.ts";

/** Adds a member for one test, with the demo's password; returns the address. */
export async function addMember(site: Site, email = `${randomUUID()}@example.org`): Promise<string> {
  const services = await openServices(site);
  const person = { firstName: "Ines", lastName: "Marlow", accountType: "individual" } as const;
  const member = await services.accounts.register({ email, password: DEMO_PASSWORD, ...person });
  if (!member) throw new Error(`${email} is registered already`);
  const startsAt = services.clock();
  const endsAt = after(startsAt, 30 * DAY_IN_MS);
  await services.membership.grant({ memberId: member.id, planType: 1, startsAt, endsAt });
  return email;
}

/** Ends a member's sessions; no browser notices. */
export async function endSessions(site: Site, email: string): Promise<void> {
  const services = await openServices(site);
  await services.sessions.endAll(await findId(services, email));
}

export async function endMembership(site: Site, email: string): Promise<void> {
  const services = await openServices(site);
  await services.membership.revoke(await findId(services, email));
}

const opened = new Map<string, Promise<Services>>();

/** The services of the app, beside its server. A worker's tests share them; they end with its process. */
export function openServices({ settings }: Pick<Site, "settings">): Promise<Services> {
  const key = JSON.stringify(settings);
  const services = opened.get(key) ?? createServices(readConfig(settings), { hasContentAtOnce: false });
  opened.set(key, services);
  return services;
}

async function findId({ accounts }: Services, email: string): Promise<number> {
  const member = await accounts.findByEmail(email);
  if (!member) throw new Error(`${email} is not registered`);
  return member.id;
}

/** Logs in a member without changing this browser's cookies, as on another device. */
export async function logInElsewhere(page: Page, site: Site, email: string): Promise<void> {
  await site.post("/login", { intent: "log-in", email, password: DEMO_PASSWORD });
  await page.context().clearCookies();
}

/** The code of a gift whose thanks are on the page. */
export async function readSheetCode(page: Page, site: Site): Promise<string> {
  const link = await page.getByRole("link", { name: "See your gift" }).getAttribute("href");
  const token = new URL(link ?? "", site.url("/")).searchParams.get("gift") ?? "";
  const given = await (await openServices(site)).gifts.findGiven(token);
  if (!given?.sheet) throw new Error("It has no sheet");
  return given.sheet.code;
}
