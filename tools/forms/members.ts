import sharp from "sharp";

import { codeIn, linkIn } from "../../tests/helpers/mailbox.ts";
import type { FormBrowser } from "./browser.ts";
import {
  CARD,
  logIn,
  member,
  NEW_PASSWORD,
  otherThan,
  reachCardPage,
  requireForm,
  type Section,
  type Tour,
} from "./tour.ts";

/* In the order in which one can meet them. */

/** Half of a film, as the player sends it. */
const FILM = { keep: "watch-2001", seconds: "31.5", duration: "60", age: "0" };
const OPEN = "/?account=open";

const everyPage: Section = async (tour) => {
  const { fill } = tour;
  const browser = await logIn(tour);
  await fill(browser, { path: "/", intent: "/", title: "Search" }, { "a word": { q: "snoring" } });
  await fill(browser, { path: "/", intent: "scheme", title: "Light or dark" }, { right: { scheme: "dawn" } });
  await fill(
    browser,
    { path: "/?view=watch", intent: "/favourites", title: "Favourite buttons" },
    {
      right: { save: "watch-2001" },
      "right, once more": { remove: "watch-2001" },
      "no such item": { save: "watch-1" },
    },
  );
  await browser.post("/positions", FILM);
  const forget = { path: "/", intent: "forget", title: "Take something off “Carry on”" };
  await fill(browser, forget, { right: { item: "watch-2001" } });
  const nights = { path: "/nights/cant-get-to-sleep", intent: "nights", title: "Nights" };
  await fill(browser, nights, { "open one": { open: "watch-2001" } });
  await fill(await logIn(tour), { path: "/", intent: "log-out", title: "Log out" }, { right: {} });
};

const account: Section = async (tour) => {
  const { fill, commands, readEmail } = tour;
  const browser = await logIn(tour);
  await changeDetails(tour, browser);
  await fill(
    browser,
    { path: "/?account=password", intent: "password", title: "Change the password" },
    {
      "another old password": toNewPassword("x"),
      right: toNewPassword(member.password),
    },
  );
  for (let devices = 0; devices < 2; devices += 1) await logIn(tour, member.email, NEW_PASSWORD);
  const path = "/?account=devices";
  await fill(browser, { path, intent: "device", title: "Sign one device out" }, { right: {} });
  await fill(browser, { path, intent: "devices", title: "Sign out everywhere else" }, { right: {} });
  await forgetPositions(tour, browser);
  const news = { path: "/?account=newsletter", intent: "newsletter", title: "New this month" };
  await fill(browser, news, { right: {} });
  await changeAddress(tour);
  await giveBack(tour);
  await commands.run("demo", "clock", "2026-12-02T12:00");
  const { text } = await readEmail(member.email, "New in");
  const end = [...text.matchAll(/https?:\/\/\S+newsletter\S+/g)].at(-1)?.[0] ?? "";
  const ending = { path: end, intent: "", title: "The link that ends New this month" };
  await fill(tour.open(), ending, { right: {} });
  await fill(
    await logIn(tour, member.email, NEW_PASSWORD),
    { path: "/?account=close", intent: "close", title: "Close the account" },
    { "another password": { closingPassword: "x" }, right: { closingPassword: NEW_PASSWORD } },
  );
  const reopening = linkIn(await readEmail(member.email, "closed"));
  await fill(
    tour.open(),
    { path: reopening, intent: "reopen-link", title: "The link to open it again" },
    { right: {} },
  );
};

const toNewPassword = (oldPassword: string) => ({
  oldPassword,
  password: NEW_PASSWORD,
  passwordConfirmation: NEW_PASSWORD,
});

async function changeDetails({ fill, commands, readEmail }: Tour, browser: FormBrowser): Promise<void> {
  await fill(
    browser,
    { path: OPEN, intent: "profile", title: "Details and picture" },
    {
      "no name": { firstName: "" },
      "another address, without the password": { email: "ada.new@example.org" },
      right: { firstName: "Adah" },
    },
  );
  await browser.post(
    OPEN,
    await withPicture({ intent: "profile", firstName: "Ada", lastName: "Lovell", email: member.email }),
  );
  await fill(browser, { path: OPEN, intent: "remove-picture", title: "Remove the picture" }, { right: {} });
  const email = "ada.new@example.org";
  const form = requireForm(await browser.find(OPEN), "profile");
  await browser.send(form, { email, currentPassword: member.password });
  const code = otherThan(codeIn(await readEmail(email)));
  const typing = { path: OPEN, intent: "email-code", title: "Type the code for a new address" };
  await fill(browser, typing, { "a wrong code": { emailCode: code } });
  await commands.run("demo", "clock", "+2m");
  await fill(browser, { path: OPEN, intent: "email-resend", title: "Send that code again" }, { right: {} });
  await fill(browser, { path: OPEN, intent: "email-cancel", title: "Keep the old address" }, { right: {} });
}

async function withPicture(fields: Record<string, string>): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const picture = await sharp({ create: { width: 200, height: 200, channels: 3, background: "#345" } })
    .png()
    .toBuffer();
  form.append("picture", new Blob([Uint8Array.from(picture)], { type: "image/png" }), "picture.png");
  return form;
}

async function forgetPositions({ fill }: Tour, browser: FormBrowser): Promise<void> {
  const path = "/?account=stopped";
  await browser.post("/positions", FILM);
  const forgotten = await fill(
    browser,
    { path, intent: "positions-forget", title: "Forget where I stopped" },
    { right: {} },
  );
  const html = forgotten.text.startsWith("<!") ? forgotten.text : await forgetPlainly(browser);
  await fill(browser, { path, html, intent: "positions-restore", title: "Undo that" }, { right: {} });
  await fill(browser, { path, intent: "positions-switch", title: "Stop remembering" }, { right: {} });
}

/** Without script, the page with the button that undoes it. */
async function forgetPlainly(browser: FormBrowser): Promise<string> {
  await browser.post("/positions", FILM);
  return (await browser.post("/?account=stopped", { intent: "positions-forget" })).text;
}

/** By the new address's link, back by the old one's, and again by an owner at the desk. */
async function changeAddress(tour: Tour): Promise<void> {
  const { fill, open, readEmail, commands } = tour;
  const [old, email] = ["team@dormouse.example", "tom.new@example.org"];
  const browser = await logIn(tour, old, NEW_PASSWORD);
  const form = requireForm(await browser.find(OPEN), "profile");
  await browser.send(form, { email, currentPassword: NEW_PASSWORD });
  const confirmation = linkIn(await readEmail(email, "Confirm your new email address"));
  const confirming = { path: confirmation, intent: "confirm-link", title: "The link that confirms a new address" };
  await fill(open(), confirming, { right: {} });
  const undo = linkIn(await readEmail(old, "Your email address was changed"));
  await fill(
    open(),
    { path: undo, intent: "undo-link", title: "The link that takes a new address back" },
    { right: {} },
  );
  const start = `member address ${old} --email tom.third@example.org --mailbox read --reason Asked`;
  await commands.run(...start.split(" "));
  const path = linkIn(await readEmail(old, "Is this your new email address?"));
  await fill(open(), { path, intent: "answer-link", title: "Agree to an address that an owner has entered" }, {});
  await fill(open(), { path, intent: "keep-link", title: "Keep the old one" }, { right: {} });
}

async function giveBack(tour: Tour): Promise<void> {
  const { fill } = tour;
  const { browser, path } = await reachCardPage(tour, "rita@example.org");
  await browser.find((await browser.post(path, CARD)).location);
  const payer = await logIn(tour, "rita@example.org", NEW_PASSWORD);
  const cancelling = { path: "/?account=cancel", intent: "cancel", title: "Cancel within 14 days" };
  await fill(payer, cancelling, { right: {} });
  const lapsed = await logIn(tour, "lapsed@dormouse.example");
  await fill(lapsed, { path: OPEN, intent: "renew", title: "Renew" }, { right: {} });
}

export const memberSections = { "Every page of a member": everyPage, "My Account": account };
