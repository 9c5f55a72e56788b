import PostalMime, { type Email } from "postal-mime";
import { expect, test } from "vitest";

import { MARK_ID, readMark } from "../../server/platform/email/mark.ts";
import type { Mailer, Message } from "../../server/platform/email/sending.ts";

/** A mailer and its destination. `from` is Dormouse <hello@dormouse.example>, answers go to help@dormouse.example. */
export type MailerApp = AsyncDisposable & {
  mailer: Mailer;
  listRaw(): Promise<string[]>;
};

export const message: Message = {
  id: "verification-1a2b3c",
  to: "ada@dormouse.example",
  subject: "Confirm your email address",
  text: "Hello Ada,\n\n123456\n\nhttps://members.example.org/signup?verify=a=b&c=d\n",
  html: "<p>Hello Ada, <b>123456</b></p>",
  createdAt: new Date("2026-11-20T03:00:00.000Z"),
};

/** Of every email, beside the composer's `Content-Type` and its parameters. */
const headers = [
  "auto-submitted",
  "content-type",
  "date",
  "from",
  "message-id",
  "mime-version",
  "reply-to",
  "subject",
  "to",
  "x-auto-response-suppress",
];

const breaks = ["\r\n", "\n", "\r", "\0", "\u2028", "\u0085", "\v"];
const injection = (gap: string) => `Ada${gap}Bcc: eve@evil.example${gap}X-Evil: yes${gap}${gap}body`;

export function describeMailer(open: () => Promise<MailerApp>): void {
  async function openMailbox() {
    const app = await open();
    const list = async () => Promise.all((await app.listRaw()).map((raw) => PostalMime.parse(raw)));
    const oneEmail = async (): Promise<Email> => {
      const mails = await list();
      expect(mails).toHaveLength(1);
      return mails[0] as Email;
    };
    return { ...app, list, oneEmail };
  }

  test("an email arrives with its words, its sender, its date and an id that is always the same", async () => {
    await using app = await openMailbox();
    const expected = {
      subject: "Grüße für Zoë",
      text: "Dear Zoë,\n£60.00 夜 \u{1f319}\n",
      html: "<p>£60 &amp; Zoë 夜</p>",
    };
    expect(await app.mailer.send({ ...message, ...expected })).toEqual({ ok: true });
    const mail = await app.oneEmail();
    expect(mail).toMatchObject({
      from: { address: "hello@dormouse.example", name: "Dormouse" },
      replyTo: [{ address: "help@dormouse.example", name: "" }],
      to: [{ address: "ada@dormouse.example", name: "" }],
      subject: expected.subject,
      messageId: "<verification-1a2b3c@dormouse.example>",
      date: "2026-11-20T03:00:00.000Z",
      attachments: [],
    });
    expect(mail.text?.trimEnd()).toBe(expected.text.trimEnd());
    expect(mail.html?.trimEnd()).toBe(expected.html);
    expect(mail.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated");
  });

  test("the mark travels within an email that shows it, as a part of its page and not as a file, and in no other", async () => {
    await using app = await openMailbox();
    await app.mailer.send({ ...message, html: `<p><img src="cid:${MARK_ID}" alt=""></p>` });
    const [raw = ""] = await app.listRaw();
    expect(raw).toMatch(/multipart\/alternative[^]*text\/plain[^]*multipart\/related[^]*text\/html[^]*image\/png/);
    const { attachments, text } = await app.oneEmail();
    const expected = { contentId: `<${MARK_ID}>`, disposition: "inline", related: true, mimeType: "image/png" };
    expect(attachments).toEqual([expect.objectContaining(expected)]);
    expect(new Uint8Array(attachments[0]?.content as ArrayBuffer)).toEqual(new Uint8Array(readMark()));
    expect(readMark().length).toBeLessThan(1500);
    expect(text?.split("\n").map((line) => line.trim())).toContain("123456");
    expect(raw.match(/^\d{6}\r?$/gm)).toHaveLength(1);
  });

  test("an email that one can end says where, for a person and for one POST; no other does", async () => {
    await using app = await openMailbox();
    const unsubscribe = "https://members.example.org/newsletter?end=7.abc";
    await app.mailer.send({ ...message, unsubscribe });
    const mail = await app.oneEmail();
    const read = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    expect(read("list-unsubscribe")).toBe(`<${unsubscribe}>`);
    expect(read("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  });

  test("long links and codes come through as they were written", async () => {
    await using app = await openMailbox();
    const link = `https://members.example.org/signup?verify=${"aB3-_".repeat(60)}&next=x=y`;
    await app.mailer.send({ ...message, text: `Hello Ada,\n\n123456\n\n.\n..\n-- \nFrom here:\n${link}\n` });
    const lines = (await app.oneEmail()).text?.split("\n");
    expect(lines).toEqual(expect.arrayContaining(["123456", ".", "..", "From here:", link]));
  });

  test.each(breaks.map((gap) => [JSON.stringify(gap), gap]))(
    "%s in a subject or id makes no header",
    async (_, gap) => {
      await using app = await openMailbox();
      await app.mailer.send({ ...message, subject: injection(gap), id: injection(gap) });
      const mail = await app.oneEmail();
      expect([...new Set(mail.headers.map(({ key }) => key))].toSorted()).toEqual(headers);
      expect(mail.bcc ?? []).toEqual([]);
      expect(mail.text).toContain("123456");
    },
  );

  test.each([
    ...breaks.map(injection),
    ...breaks.map((gap) => `ada@dormouse.example${gap}RCPT TO:<eve@evil.example>`),
    "ada@dormouse.example, eve@evil.example",
    "ada@dormouse.example;eve@evil.example",
    "ada@dormouse.example eve@evil.example",
    "ada@dormouse.example> <eve@evil.example",
    "Ada <ada@dormouse.example>",
    '"ada@dormouse.example, eve"@evil.example',
    "friends: ada@dormouse.example, eve@evil.example;",
    "ada",
    "@dormouse.example",
    "",
  ])("%j is nobody's address: the email goes to nobody, for good", async (to) => {
    await using app = await openMailbox();
    expect(await app.mailer.send({ ...message, to })).toMatchObject({ ok: false, isPermanent: true });
    expect(await app.listRaw()).toEqual([]);
  });

  test("a text that imitates the parts of a message stays text", async () => {
    await using app = await openMailbox();
    const text = "----_NmP-0000-Part_1\nContent-Type: text/html\n\n<script>alert(1)</script>\n----_NmP-0000-Part_1--\n";
    await app.mailer.send({ ...message, text });
    const mail = await app.oneEmail();
    expect(mail.text?.trimEnd()).toBe(text.trimEnd());
    expect(mail.html?.trimEnd()).toBe(message.html);
  });

  test("a name in the address that is more than ASCII is kept", async () => {
    await using app = await openMailbox();
    expect(await app.mailer.send({ ...message, to: "zoë@grüße.example" })).toEqual({ ok: true });
    expect((await app.oneEmail()).to).toMatchObject([{ address: expect.stringMatching(/^zoë@/) }]);
  });

  test("ten emails at once all arrive, each once", async () => {
    await using app = await openMailbox();
    const ids = Array.from({ length: 10 }, (_, index) => `receipt-${index}`);
    const answers = await Promise.all(ids.map((id) => app.mailer.send({ ...message, id })));
    expect(answers).toEqual(ids.map(() => ({ ok: true })));
    const arrived = (await app.list()).map(({ messageId }) => messageId);
    expect(new Set(arrived)).toEqual(new Set(ids.map((id) => `<${id}@dormouse.example>`)));
    expect(arrived).toHaveLength(ids.length);
  });

  test("checking says that it is well, and sends nothing", async () => {
    await using app = await openMailbox();
    expect(await app.mailer.check()).toEqual({ isWell: true, message: expect.stringMatching(/^[^\n]+\.$/) });
    expect(await app.listRaw()).toEqual([]);
  });
}
