import { randomUUID } from "node:crypto";

import type { Page } from "@playwright/test";

import { after, DAY_IN_MS } from "../../server/clock.ts";
import { DEMO_PASSWORD } from "../../server/cli/demo-members.ts";
import { readConfig } from "../../server/config.ts";
import { createRooms } from "../../server/rooms.ts";
import type { Site } from "./fixtures.ts";

/** A member of one's own, for tests that change something about them; answers the address. The password is the demo's. */
export async function addMember({ settings }: Site, email = `${randomUUID()}@example.org`): Promise<string> {
  const rooms = await createRooms(readConfig(settings), { hasContentAtOnce: false });
  const names = { firstName: "Ines", lastName: "Marlow" };
  const member = await rooms.accounts.register({ email, password: DEMO_PASSWORD, accountType: "individual", ...names });
  if (!member) throw new Error("Somebody has the address of nobody");
  const startsAt = rooms.clock();
  await rooms.membership.grant({ memberId: member.id, planType: 1, startsAt, endsAt: after(startsAt, 30 * DAY_IN_MS) });
  await rooms.close();
  return email;
}

/** A member's session on another device: this browser does not keep it. */
export async function logInElsewhere(page: Page, site: Site, email: string): Promise<void> {
  await site.post("/login", { intent: "log-in", email, password: DEMO_PASSWORD });
  await page.context().clearCookies();
}
