import { expect, test } from "vitest";

import { emailsTo, linkIn } from "../helpers/mailbox.ts";
import { errorsAt, linkNamed, readHeading, readWords } from "../helpers/page.ts";
import { openRemoteSite } from "../helpers/provider.ts";
import { type Browser, openQuietSite, type Site } from "../helpers/site.ts";

const member = "member@dormouse.example";

const askFor = (browser: Browser, email = member) => browser.post("/login?link=ask", { intent: "link-request", email });

async function readLink(site: Site): Promise<string> {
  await site.services.outbox.deliver();
  return linkIn(emailsTo(member, site.emails).at(-1)).replace("http://dormouse.test", "");
}

const press = (browser: Browser, link: string) =>
  browser.post("/login", { intent: "enter-link", token: link.split("=")[1] ?? "" });

test("a link by email logs in the browser that opens it, by the button of its page", async () => {
  await using site = await openQuietSite();
  const asking = site.openBrowser();
  const logIn = await asking.get("/login?to=%2F%3Fview%3Dread");
  const ask = linkNamed(logIn.text, "Email me a link") ?? "";
  expect(ask).toBe("/login?link=ask&to=%2F%3Fview%3Dread");
  expect(readHeading((await asking.get(ask)).text)).toBe("Log in without a password");
  const sent = await askFor(asking);
  expect(sent).toMatchObject({ status: 303, location: "/login?link=sent" });
  expect(readWords((await asking.get("/login?link=sent")).text)).toContain("we've sent it a link. It works once");

  const link = await readLink(site);
  const opening = site.openBrowser({ address: "203.0.113.5" });
  // A mail scanner opens it first, and nothing happens.
  for (const browser of [site.openBrowser(), opening]) {
    const page = await browser.get(link);
    expect(readHeading(page.text)).toBe("Log in");
    expect(page.headers.getSetCookie()).toEqual([]);
  }
  expect(await press(opening, link)).toMatchObject({ status: 303, location: "/" });
  expect((await opening.get("/")).status).toBe(200);
  expect((await asking.get("/")).status).toBe(302);

  const again = await press(asking, link);
  expect(again).toMatchObject({ status: 303, location: link });
  const over = await asking.get(link);
  expect(over.status).toBe(404);
  expect(readHeading(over.text)).toBe("This link doesn't work");
  expect(linkNamed(over.text, "Email me a link")).toBe("/login?link=ask");
});

test("an unknown address reads the same, and an address that is none is refused with what was typed", async () => {
  await using site = await openQuietSite();
  const pages = [];
  for (const email of [member, "nobody@dormouse.example"]) {
    const browser = site.openBrowser();
    const { status, location, headers } = await askFor(browser, email);
    const { text } = await browser.get(location ?? "");
    pages.push([status, location, headers.getSetCookie(), text.replaceAll(/nonce="[^"]+"/g, "")]);
  }
  expect(pages[1]).toEqual(pages[0]);
  await site.services.outbox.deliver();
  expect(site.emails.map(({ to }) => to)).toEqual([member]);
  const refused = await askFor(site.openBrowser(), "ada");
  expect(refused.status).toBe(400);
  expect(errorsAt(refused.text, "email")).toBe("Please enter a valid email address");
  expect(refused.text).toContain('value="ada"');
});

test("where another back end has the passwords, no link is offered, sent or taken", async () => {
  await using site = await openRemoteSite();
  const browser = site.openBrowser();
  for (const path of ["/login", "/login?link=ask"]) {
    const { text } = await browser.get(path);
    expect(readHeading(text)).toBe("Log in");
    expect(text).not.toContain("Email me a link");
  }
  expect((await askFor(browser)).status).toBe(400);
  expect(await press(browser, "/login?enter=x")).toMatchObject({ location: "/login?enter=x" });
});
