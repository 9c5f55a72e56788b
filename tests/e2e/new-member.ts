import { randomUUID } from "node:crypto";

import type { Page } from "@playwright/test";

import { after, DAY_IN_MS } from "../../server/clock.ts";
import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { readConfig } from "../../server/config.ts";
import { createRooms, type Rooms } from "../../server/rooms.ts";
import type { Site } from "./fixtures.ts";

/** A member of one's own, for tests that change something about them; answers the address. The password is the demo's. */
export async function addMember(site: Site, email = `${randomUUID()}@example.org`): Promise<string> {
  await using rooms = await openRooms(site);
  const names = { firstName: "Ines", lastName: "Marlow" };
  const member = await rooms.accounts.register({ email, password: DEMO_PASSWORD, accountType: "individual", ...names });
  if (!member) throw new Error("Somebody has the address of nobody");
  const startsAt = rooms.clock();
  await rooms.membership.grant({ memberId: member.id, planType: 1, startsAt, endsAt: after(startsAt, 30 * DAY_IN_MS) });
  return email;
}

/** A member is logged out in all browsers, and none of them knows. */
export async function endSessions(site: Site, email: string): Promise<void> {
  await using rooms = await openRooms(site);
  await rooms.sessions.endAll(await findId(rooms, email));
}

/** What a member has paid for is over. */
export async function endMembership(site: Site, email: string): Promise<void> {
  await using rooms = await openRooms(site);
  await rooms.membership.revoke(await findId(rooms, email));
}

/** The rooms of the house, beside the server that is open. */
async function openRooms({ settings }: Site): Promise<Rooms & AsyncDisposable> {
  const rooms = await createRooms(readConfig(settings), { hasContentAtOnce: false });
  return { ...rooms, [Symbol.asyncDispose]: () => rooms.close() };
}

async function findId({ accounts }: Rooms, email: string): Promise<number> {
  const member = await accounts.findByEmail(email);
  if (!member) throw new Error(`Nobody has the address ${email}`);
  return member.id;
}

/** A member's session on another device: this browser does not keep it. */
export async function logInElsewhere(page: Page, site: Site, email: string): Promise<void> {
  await site.post("/login", { intent: "log-in", email, password: DEMO_PASSWORD });
  await page.context().clearCookies();
}
