import { expect, test } from "vitest";

import { ada, logIn, openQuietSite } from "../helpers/account-page.ts";
import { wordsOf } from "../helpers/page.ts";

test("devices are signed out one by one or all but this", async () => {
  await using site = await openQuietSite();
  const here = await logIn(site, ada);
  const [phone, tablet, laptop] = [await logIn(site, ada), await logIn(site, ada), await logIn(site, ada)];
  const page = (await here.get("/?account=devices")).text;
  expect(wordsOf(page)).toContain(", this device");
  expect(wordsOf(page)).toContain("Sign out everywhere else");
  const ids = [...page.matchAll(/name="device" value="([^"]+)"/g)].map(([, id = ""]) => id);
  expect(ids).toHaveLength(3);
  const ended = await here.post("/?account=devices", { intent: "device", device: ids[0] ?? "" });
  expect(ended).toMatchObject({ status: 303, location: "/?account=devices&told=device-ended#account-devices" });
  const statuses = await Promise.all([phone, tablet, laptop].map(async (each) => (await each.get("/")).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  const rest = await here.post("/?account=devices", { intent: "devices" });
  expect(rest).toMatchObject({ location: "/?account=devices&told=devices-ended#account-devices" });
  for (const each of [phone, tablet, laptop]) expect((await each.get("/")).status).toBe(302);
  const alone = wordsOf((await here.get(rest.location ?? "")).text);
  expect(alone).toContain("Every other device is signed out.");
  expect(alone).not.toContain("Sign out everywhere else");
});

test("a form that names no device signs out none", async () => {
  await using site = await openQuietSite();
  const here = await logIn(site, ada);
  const phone = await logIn(site, ada);
  for (const device of [{}, { device: "" }]) {
    expect((await here.post("/?account=devices", { intent: "device", ...device })).status).toBe(400);
  }
  expect((await phone.get("/")).status).toBe(200);
});
