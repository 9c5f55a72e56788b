import { expect, test } from "vitest";

import { DAY_IN_MS } from "../../server/platform/clock.ts";
import { gifts as table } from "../../server/refusals.ts";
import { ada, findMember } from "../helpers/account-page.ts";
import { openDesk, REASON } from "../helpers/desk.ts";
import { findGiftCode, giftDetails, giveGift } from "../helpers/gifts.ts";
import { emailsTo } from "../helpers/mailbox.ts";
import { linkNamed, readHeading, readWords } from "../helpers/page.ts";
import { openQuietSite, type Site } from "../helpers/site.ts";

const openEarlySite = () => openQuietSite({ startsAt: "2026-11-20T03:00:00.000Z" });

/** Its day has come. */
async function sendGifts(site: Site): Promise<void> {
  site.clock.advance(DAY_IN_MS);
  await site.services.gifts.lookAfter();
  await site.services.outbox.deliver();
}

test("a gift is found by its receipt and by its people, and says where it is", async () => {
  await using site = await openEarlySite();
  const desk = await openDesk(site, "support");
  const { id } = await giveGift(site);
  const path = `/desk/gifts/${id}`;
  const whole = await desk.get("/desk/members?q=D-2026-000001");
  expect([whole.status, whole.location]).toEqual([302, path]);
  expect(linkNamed((await desk.get("/desk/members?q=000001")).text, "The gift of receipt D-2026-000001")).toBe(path);
  for (const address of [giftDetails.giverEmail, giftDetails.recipientEmail]) {
    const { text } = await desk.get(`/desk/members?q=${encodeURIComponent(address)}`);
    expect(linkNamed(text, "A gift from Tom to Wren"), address).toBe(path);
    expect(readWords(text)).not.toContain("No members match.");
  }
  const { text } = await desk.get(path);
  expect(readHeading(text)).toBe("A gift from Tom to Wren");
  const words = readWords(text);
  expect(words).toContain("waiting for its day");
  expect(words).toContain("From Tom, tom@giver.example");
  expect(words).toContain("For Wren, wren@here.example");
  expect(words).toContain("Gift: Yearly £60.00");
  expect(words).not.toContain(giftDetails.message);
  for (const other of ["99", "x"]) expect((await desk.get(`/desk/gifts/${other}`)).status).toBe(404);
});

test("an operator sends a gift to another address, and sends it again", async () => {
  await using site = await openEarlySite();
  const { id } = await giveGift(site);
  const path = `/desk/gifts/${id}`;
  await sendGifts(site);
  const desk = await openDesk(site, "support");
  const code = await findGiftCode(site, id);
  const refused = await desk.act(path, "gift change-address", { name: "Wren", email: "not an address" });
  expect([refused.status, readWords(refused.text).includes(table["recipient-email-invalid"])]).toEqual([400, true]);
  const change = { name: "Wren", email: "wren@there.example" };
  expect(await desk.actAndRead(path, "gift change-address", change)).toBe("Changed, and sent to the new address.");
  expect(await findGiftCode(site, id)).not.toBe(code);
  expect(await desk.actAndRead(path, "gift send-again")).toBe("Sent to wren@there.example.");
  await site.services.outbox.deliver();
  expect(emailsTo("wren@there.example", site.emails)).toHaveLength(2);
});

test("an owner ends a gift after a look at what will happen, and its acts are gone", async () => {
  await using site = await openEarlySite();
  const desk = await openDesk(site, "owner");
  const { id } = await giveGift(site, { memberId: (await findMember(site, ada)).id });
  const path = `/desk/gifts/${id}`;
  const end = { intent: "gift end", reason: REASON };
  const asked = await desk.browser.post(path, end);
  expect(readWords(asked.text)).toContain("No one can take it up any more.");
  expect(await desk.actAndRead(path, "gift end")).toBe("The gift has ended. £60 is being refunded.");
  const words = readWords((await desk.get(path)).text);
  expect(words).toContain("refunded");
  expect(words).not.toContain("End the gift");
  const late = await desk.act(path, "gift end");
  expect([late.status, readWords(late.text).includes(table.closed)]).toEqual([400, true]);
  const giver = await desk.get(`/desk/members/${(await findMember(site, ada)).id}`);
  expect(linkNamed(giver.text, "A gift from Tom to Wren")).toBe(path);
  expect(readWords(giver.text)).toContain("Paid £60.00 for a gift");
});

test("Today lists a gift that no one took up, and an operator leaves it", async () => {
  await using site = await openEarlySite();
  const { id } = await giveGift(site);
  await sendGifts(site);
  const gift = await site.services.gifts.find(id);
  site.clock.advance((gift?.expiresAt.getTime() ?? 0) - site.clock().getTime() + DAY_IN_MS);
  await site.services.gifts.lookAfter();
  const desk = await openDesk(site, "support");
  const path = `/desk/gifts/${id}`;
  expect(readWords((await desk.get("/desk")).text)).toContain("Gift never taken up: receipt D-2026-000001");
  expect((await desk.get("/desk")).text).toContain(`href="${path}"`);
  expect(readWords((await desk.get(path)).text)).toContain("No one took it up in its 12 months.");
  expect(await desk.actAndRead(path, "gift dismiss")).toBe("Dismissed. The gift stays as it is.");
  expect((await desk.get("/desk")).text).not.toContain(path);
});

test("who takes up a gift has a term that the desk explains", async () => {
  await using site = await openEarlySite();
  const { id } = await giveGift(site);
  await sendGifts(site);
  const desk = await openDesk(site, "support");
  const taker = (await findMember(site, ada)).id;
  const taken = await site.services.gifts.takeUp({
    code: await findGiftCode(site, id),
    memberId: taker,
    address: "198.51.100.9",
  });
  expect(taken).toMatchObject({ ok: true });
  const words = readWords((await desk.get(`/desk/members/${taker}`)).text);
  expect(words).toContain("A gift, until");
  expect(words).toContain("A gift from Tom to Wren taken up");
  const { text } = await desk.get(`/desk/gifts/${id}`);
  expect(linkNamed(text, "The member who took it up")).toBe(`/desk/members/${taker}`);
});

test("the sheet of a gift has its names, line, code and address, until it is over", async () => {
  await using site = await openEarlySite();
  const browser = site.openBrowser();
  const { id, giverToken } = await giveGift(site, { isSheet: true, recipientEmail: "", day: "" });
  const path = `/gift-letter?gift=${giverToken}`;
  const { text, headers } = await browser.get(path);
  expect(readHeading(text)).toBe("For Wren");
  expect(headers.get("X-Robots-Tag")).toContain("noindex");
  const words = readWords(text);
  expect(words).toContain("Tom is giving you a year of Dormouse.");
  expect(words).toContain("Sleep well, Wren.");
  expect(words).toContain("dormouse.test/gift");
  expect(words.replaceAll(" ", "")).toContain(await findGiftCode(site, id));
  await site.services.gifts.cancel(id);
  const gone = await browser.get(path);
  expect([gone.status, gone.location]).toEqual([302, `/given?gift=${giverToken}`]);
  expect((await browser.get("/gift-letter")).status).toBe(302);
});
