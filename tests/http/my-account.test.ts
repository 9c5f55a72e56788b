import { expect, test } from "vitest";

import {
  ada,
  changePassword,
  details,
  lena,
  logIn,
  findMember,
  PASSWORD,
  pictureNamed,
  save,
  tom,
} from "../helpers/account-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { readHeading, linkNamed, tagWith, readTitle, readValue, readWords } from "../helpers/page.ts";
import { openSite, type Answer, openQuietSite } from "../helpers/site.ts";

function accountIn({ text }: Answer): string {
  return /<dialog[^]*<\/dialog>/.exec(text)?.[0] ?? "";
}

test("My Account lies over any screen, which is out of reach behind it, and its X leads back there", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const path of ["/", "/?view=read", "/?view=read&item=1001", "/?q=snoring", "/?view=favourites"]) {
    const screen = await browser.get(path);
    expect(screen.text).not.toContain("<dialog");
    const opened = linkNamed(screen.text, "My Details") ?? "";
    expect(opened).toBe(`${path}${path.includes("?") ? "&" : "?"}account=open`);
    expect(linkNamed(screen.text, "My Account")).toBe(opened);
    const answer = await browser.get(opened);
    expect(answer.status).toBe(200);
    expect(readTitle(answer.text)).toBe("My Account – Dormouse");
    expect(tagWith(answer.text, "main", "inert")).toBeDefined();
    expect(tagWith(answer.text, "dialog", "open")).toBeDefined();
    const words = readWords(`<body>${accountIn(answer)}`);
    expect(words).toContain("My Account Update your photo and personal details");
    expect(words).toContain("Click to upload or drag and drop SVG, PNG, JPG or GIF (max. 800x400px)");
    expect(words).toContain("Cancel Save Changes");
    for (const label of ["First Name", "Surname", "Email Address", "Profile Picture"]) expect(words).toContain(label);
    expect(readValue(answer.text, "firstName")).toBe("Ada");
    expect(readValue(answer.text, "lastName")).toBe("Lovell");
    expect(readValue(answer.text, "email")).toBe(ada);
    expect(linkNamed(accountIn(answer), "Close")).toBe(path);
  }
});

test("a video does not play under My Account", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { text } = await browser.get("/?view=watch&item=2004&play=1&account=open");
  expect(text).not.toContain("<video");
  expect(text.match(/<dialog/g)).toHaveLength(1);
});

test("forms come back to the screen that they lie over", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const answer = await save(browser, { firstName: "Zoë" }, { path: "/?view=read&page=1&account=open&flash=saved" });
  expect(answer.location).toBe("/?view=read&account=open&flash=saved");
});

test("without script a form's answer is shown at its place", async () => {
  await using site = await openSite();
  const { text } = await (await logIn(site, ada)).get("/?account=open");
  expect(text).toContain('action="/?account=open#account-open"');
  expect(text).toContain(' id="account-open"');
});

test("a row is opened by its address, and what is folded is not in the page", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const rows = {
    open: ["Your details", "profile"],
    password: ["Change password", "password"],
    devices: ["Devices", "device"],
    stopped: ["Your progress", "positions-switch"],
    newsletter: ["New this month", "newsletter"],
    data: ["Your data", undefined],
    close: ["Delete account", "close"],
  } as const;
  await logIn(site, ada);
  for (const asked of ["nonsense", "membership", ...Object.keys(rows)]) {
    const text = accountIn(await browser.get(`/?account=${asked}`));
    const opened = [...text.matchAll(/<details id="account-(\w+)"[^>]* open=""/g)].map(([, part]) => part);
    const wanted = asked === "nonsense" ? "open" : asked;
    expect(opened).toEqual(wanted === "membership" ? [] : [wanted]);
    for (const [part, [title, intent]] of Object.entries(rows)) {
      const isOpen = part === wanted;
      expect(linkNamed(text, title)).toBe(isOpen ? undefined : `/?account=${part}#account-${part}`);
      if (intent) expect(text.includes(`name="intent" value="${intent}"`), `${intent} at ${asked}`).toBe(isOpen);
    }
  }
});

test("a member without an active subscription sees the locked tile and their details, and cannot change them", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, lena);
  const locked = await browser.get("/");
  expect(readHeading(locked.text)).toBe("No active subscription.");
  expect(linkNamed(locked.text, "My Details")).toBe("/?account=open");
  const page = await browser.get("/?account=open");
  expect(readWords(page.text)).toContain(`First Name Lena Surname Marsh Email Address ${lena}`);
  expect(readWords(page.text)).toContain("Write to hello@dormouse.example and we'll change them for you.");
  const sentence = "You need an active subscription to change this. Write to us and we'll change it for you.";
  const shown = { shownFirstName: "Lena", shownLastName: "Marsh", shownEmail: lena, email: lena, lastName: "Marsh" };
  for (const answer of [
    await save(browser, { ...shown, firstName: "Zoë" }, { picture: await pictureNamed("me.png") }),
    await browser.post("/?account=open", { intent: "email-code", emailCode: "123456" }),
    await browser.post("/?account=open", { intent: "email-resend" }),
  ]) {
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(sentence);
  }
  const member = await findMember(site, lena);
  expect(member.firstName).toBe("Lena");
  expect(await site.services.avatars.findHash(member.id)).toBeUndefined();
  expect((await changePassword(browser)).status).toBe(303);
  expect((await browser.get("/account-data")).status).toBe(200);
});

test("no form of one member reads or changes anything of another's", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const victim = await logIn(site, tom, "203.0.113.5");
  const { id } = await findMember(site, tom);
  await save(
    victim,
    { firstName: "Tom", lastName: "Fenwick", email: tom, shownEmail: tom },
    { picture: await pictureNamed("me.png") },
  );
  await victim.post("/?account=open", { intent: "devices" });
  const device = (await site.services.sessions.list(id))[0]?.id ?? "";
  const before = await site.services.personalData.gather({ memberId: id, email: tom });
  const theirs = { id: String(id), member_id: String(id), memberId: String(id), email: tom, userId: String(id) };
  for (const fields of [
    { ...details, ...theirs, email: ada, firstName: "Zoë" },
    { intent: "remove-picture", ...theirs },
    { intent: "email-code", emailCode: "123456", ...theirs },
    { intent: "email-resend", ...theirs },
    { intent: "email-cancel", ...theirs },
    {
      intent: "password",
      oldPassword: PASSWORD,
      password: "moss-lantern-42",
      passwordConfirmation: "moss-lantern-42",
      ...theirs,
    },
    { intent: "device", device, ...theirs },
    { intent: "devices", ...theirs },
    { intent: "close", closingPassword: "wrong", ...theirs },
  ]) {
    expect((await browser.post("/?account=open", fields)).status).toBeLessThan(500);
  }
  const after = await site.services.personalData.gather({ memberId: id, email: tom });
  expect({ ...after, exportedAt: before.exportedAt }).toEqual(before);
  expect((await victim.get("/")).status).toBe(200);
});

test("an unknown outcome in the address shows no message", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  expect(readHeading((await browser.get("/login?done=nonsense")).text)).toBe("Log in");
  expect(readHeading((await browser.get("/login?done=toString")).text)).toBe("Log in");
  const member = await logIn(site, ada);
  expect((await member.get("/?account=open&flash=constructor")).text).not.toMatch(/role="status"[^>]*><svg/);
  expect(linkNamed((await member.get("/login?done=email-confirmed")).text, "Go to the dashboard")).toBe("/");
});

test("devices are signed out one by one or all but this", async () => {
  await using site = await openQuietSite();
  const here = await logIn(site, ada);
  const [phone, tablet, laptop] = [await logIn(site, ada), await logIn(site, ada), await logIn(site, ada)];
  const page = (await here.get("/?account=devices")).text;
  expect(readWords(page)).toContain("(this device)");
  expect(readWords(page)).toContain("Sign out everywhere else");
  const ids = [...page.matchAll(/name="device" value="([^"]+)"/g)].map(([, id = ""]) => id);
  expect(ids).toHaveLength(3);
  const ended = await here.post("/?account=devices", { intent: "device", device: ids[0] ?? "" });
  expect(ended).toMatchObject({ status: 303, location: "/?account=devices&flash=device-ended#account-devices" });
  const statuses = await Promise.all([phone, tablet, laptop].map(async (each) => (await each.get("/")).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  const rest = await here.post("/?account=devices", { intent: "devices" });
  expect(rest).toMatchObject({ location: "/?account=devices&flash=devices-ended#account-devices" });
  for (const each of [phone, tablet, laptop]) expect((await each.get("/")).status).toBe(302);
  const alone = readWords((await here.get(rest.location ?? "")).text);
  expect(alone).toContain("Every other device is signed out.");
  expect(alone).not.toContain("Sign out everywhere else");
});

test("devices are listed ten to a page, this one first, to the member and at the desk", async () => {
  await using site = await openQuietSite();
  const here = await logIn(site, ada);
  const { id } = await findMember(site, ada);
  for (let count = 0; count < 11; count += 1) await site.services.sessions.start(id);
  const devicesIn = (html: string) => [...html.matchAll(/name="device" value="([^"]+)"/g)].map(([, each = ""]) => each);
  const first = (await here.get("/?account=devices")).text;
  expect(readWords(first)).toContain("Page 1 of 2 Next");
  const next = linkNamed(first, "Next") ?? "";
  expect(next).toBe("/?account=devices&devices=2");
  const second = (await here.get(next)).text;
  expect(readWords(second)).not.toContain("this device");
  expect(readWords(second)).toContain("Sign out everywhere else");
  expect([devicesIn(first).length, devicesIn(second).length]).toEqual([9, 2]);
  expect(new Set([...devicesIn(first), ...devicesIn(second)]).size).toBe(11);
  const ended = await here.post(next, { intent: "device", device: devicesIn(second)[0] ?? "" });
  expect(ended.status).toBe(303);
  const desk = await openDesk(site, "support");
  expect(readWords((await desk.get(`/desk/members/${id}`)).text)).toContain("Page 1 of 2 Next");
  expect(readWords((await desk.get(`/desk/members/${id}?devices=2`)).text)).toContain("Previous Page 2 of 2");
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

test("a member downloads what is held about them, and about no other", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  expect(linkNamed((await browser.get("/?account=data")).text, "Download my data")).toBe("/account-data");
  const answer = await browser.get("/account-data");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(answer.headers.get("Content-Disposition")).toMatch(
    /^attachment; filename="dormouse-my-data-\d{4}-\d\d-\d\d\.json"$/,
  );
  expect(answer.headers.get("Cache-Control")).toMatch(/no-store/);
  const held = JSON.parse(answer.text) as { member: { email: string }; subscriptions: unknown[]; sessions: unknown[] };
  expect(held.member.email).toBe(ada);
  expect(held.subscriptions).toHaveLength(1);
  expect(held.sessions).toHaveLength(1);
  expect(answer.text).not.toContain(tom);
  expect(answer.text).not.toContain("argon2");
  expect(await site.openBrowser().get("/account-data")).toMatchObject({
    status: 302,
    location: "/signup?to=%2Faccount-data",
  });
});
