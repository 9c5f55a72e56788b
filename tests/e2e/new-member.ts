import { randomUUID } from "node:crypto";

import type { Page } from "@playwright/test";

import { after, DAY_IN_MS } from "../../server/clock.ts";
import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { readConfig } from "../../server/config.ts";
import { createServices, type Services } from "../../server/services.ts";
import type { Site } from "./fixtures.ts";

/** A member of one's own, for tests that change something about them; answers the address. The password is the demo's. */
export async function addMember(site: Site, email = `${randomUUID()}@example.org`): Promise<string> {
  await using services = await openServices(site);
  const names = { firstName: "Ines", lastName: "Marlow" };
  const member = await services.accounts.register({
    email,
    password: DEMO_PASSWORD,
    accountType: "individual",
    ...names,
  });
  if (!member) throw new Error("Somebody has the address of nobody");
  const startsAt = services.clock();
  await services.membership.grant({
    memberId: member.id,
    planType: 1,
    startsAt,
    endsAt: after(startsAt, 30 * DAY_IN_MS),
  });
  return email;
}

/** A member is logged out in all browsers, and none of them knows. */
export async function endSessions(site: Site, email: string): Promise<void> {
  await using services = await openServices(site);
  await services.sessions.endAll(await findId(services, email));
}

/** What a member has paid for is over. */
export async function endMembership(site: Site, email: string): Promise<void> {
  await using services = await openServices(site);
  await services.membership.revoke(await findId(services, email));
}

/** The services of the app, beside the server that is open. */
async function openServices({ settings }: Site): Promise<Services & AsyncDisposable> {
  const services = await createServices(readConfig(settings), { hasContentAtOnce: false });
  return { ...services, [Symbol.asyncDispose]: () => services.close() };
}

async function findId({ accounts }: Services, email: string): Promise<number> {
  const member = await accounts.findByEmail(email);
  if (!member) throw new Error(`Nobody has the address ${email}`);
  return member.id;
}

/** A member's session on another device: this browser does not keep it. */
export async function logInElsewhere(page: Page, site: Site, email: string): Promise<void> {
  await site.post("/login", { intent: "log-in", email, password: DEMO_PASSWORD });
  await page.context().clearCookies();
}
