import { displayName } from "../text.ts";
import { MARK_ID } from "./mark.ts";

export type EmailContent = {
  subject: string;
  text: string;
  html: string;
  facts?: EmailFacts;
  /** The default is the address of the settings. */
  replyTo?: string;
  /** Ends emails of this kind: by a button on its page, or by one POST (RFC 8058). */
  unsubscribe?: string;
};

/** Named as an operator's own templates would use them. */
export type EmailFacts = {
  name: "verification";
  firstName: string;
  code: string;
  /** For the link; the front of which it is `site`. */
  token: string;
  site: string;
};

/** `site` is for emails that no request caused; it ends with a slash. */
export type EmailSettings = { product: { name: string; contactEmail: string; companyEmail: string }; site: string };

export type Sender = { productName: string; contactEmail: string; site: string };

export function toSender(
  { name, contactEmail }: Pick<EmailSettings["product"], "name" | "contactEmail">,
  site: string,
): Sender {
  return { productName: name, contactEmail, site };
}

/** Kind and cause are its key in the outbox, so one cause writes one email. */
export type Email = {
  kind: EmailKind;
  cause: string;
  to: string;
  memberId?: number | undefined;
  mail: EmailContent;
  /** It holds a code, or a link that logs in: sealed at rest, and erased once it was sent or given up. */
  isSecret?: boolean | undefined;
};

/** The input that a module passes to an email of its interface. */
export type EmailInput<Emails, Name extends keyof Emails> = Emails[Name] extends (
  input: infer Input,
  ...others: never[]
) => unknown
  ? Input
  : never;

/** Enough of a secret to tell two apart, too little to use. */
export function toCause(token: string): string {
  return token.slice(0, 8);
}

export type EmailKind =
  | "verification"
  | "receipt"
  | "welcome"
  | "moved"
  | "refund"
  | "renewal-reminder"
  | "membership-ended"
  | "renewal-link"
  | "company-mandate"
  | "company-contract"
  | "company-live"
  | "company-stopped"
  | "company-invitation"
  | "company-log-in"
  | "password-reset"
  | "log-in-link"
  | "passkey-added"
  | "passkey-removed"
  | "password-switched"
  | "password-changed"
  | "confirm-new-address"
  | "address-change-asked"
  | "address-changed"
  | "account-closed"
  | "account-erased"
  | "merge-code"
  | "accounts-merged"
  | "newsletter"
  | "gift"
  | "gift-receipt"
  | "gift-reminder"
  | "gift-taken-up"
  | "gift-ended";

/**
 * Dark by default: members read at night, and many mail programs ignore style sheets. Nothing is fetched. The colours
 * are the site's (app/styles/tokens.css).
 */
const darkColours = {
  ground: "#0d1420",
  surface: "#151e2e",
  line: "#2e3d55",
  text: "#ece6d8",
  muted: "#a9b0bd",
  gold: "#f0bf63",
  onGold: "#16202f",
};

const lightColours: typeof darkColours = {
  ground: "#faf6ee",
  surface: "#f1ead9",
  line: "#ddd2ba",
  text: "#1d2530",
  muted: "#59616d",
  gold: "#8a5a00",
  onGold: "#faf6ee",
};

const serif = "Georgia,'Times New Roman',serif";
const sans = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/**
 * Mail programs turn days, numbers and addresses into links, blue on dark. This sheet has no media query, so programs
 * that drop the next one keep it.
 */
const linkSheet = `
a { color: ${darkColours.gold}; }
a[x-apple-data-detectors] { color: inherit !important; }`;

/** Inline styles win over a sheet, hence `!important`. */
const lightSheet = `
:root { color-scheme: dark light; supported-color-schemes: dark light; }
@media (prefers-color-scheme: light) {
  .ground { background: ${lightColours.ground} !important; color: ${lightColours.text} !important; }
  .surface { background: ${lightColours.surface} !important; color: ${lightColours.text} !important; }
  .line { border-color: ${lightColours.line} !important; }
  .muted { color: ${lightColours.muted} !important; }
  a, .link, .name { color: ${lightColours.gold} !important; }
  .button { background: ${lightColours.gold} !important; color: ${lightColours.onGold} !important; }
}`;

function page({ sender, title, body }: { sender: Sender; title: string; body: string }): string {
  const { ground, text, gold } = darkColours;
  const name = escapeHtml(oneLine(sender.productName));
  const mark = `<img src="cid:${MARK_ID}" width="32" height="32" alt="" style="margin-right:10px;border:0;vertical-align:middle">`;
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="supported-color-schemes" content="dark light">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${escapeHtml(title)}</title>
<style>${linkSheet}
</style>
<style>${lightSheet}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${ground};color:${text}">
<table role="presentation" class="ground" style="width:100%;border-collapse:collapse;background:${ground};color:${text}"><tr>
<td style="padding:32px 20px;font-family:${sans};font-size:17px;line-height:1.6">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
<p class="name" style="margin:0 0 24px;font-family:${serif};font-size:18px;color:${gold}">${mark}${name}</p>
<h1 style="margin:0 0 16px;font-family:${serif};font-size:26px;line-height:1.25;font-weight:400">${escapeHtml(title)}</h1>
${body}
</div>
</td>
</tr></table>
</body>
</html>
`;
}

export type Block = { text: string; html: string };

/** `why`: why the reader gets it, in a sentence. */
export type Draft = { sender: Sender; subject: string; why: string; blocks: Block[] };

/** Composes plain text, and a page that mail programs understand. */
export function composeEmail({ sender, subject, why, blocks }: Draft): EmailContent {
  const title = oneLine(subject);
  const all = [...blocks, farewell(sender, why)];
  return {
    subject: title,
    text: `${all.map((block) => block.text).join("\n\n")}\n`,
    html: page({ sender, title, body: all.map((block) => block.html).join("\n") }),
  };
}

export function paragraph(words: string): Block {
  const line = oneLine(words);
  return { text: wrap(line), html: `<p style="margin:0 0 16px">${escapeHtml(line)}</p>` };
}

/** Alone on its line, in the text too. */
export function code(digits: string): Block {
  const style =
    `margin:0 0 16px;padding:16px;border-radius:14px;background:${darkColours.surface};color:${darkColours.text};text-align:center;` +
    `font-family:ui-monospace,Menlo,Consolas,monospace;font-size:32px;line-height:1.25;letter-spacing:6px`;
  const line = oneLine(digits);
  return { text: line, html: `<p class="surface" style="${style}">${escapeHtml(line)}</p>` };
}

/** In the text, the address is alone on the next line. */
export function button(label: string, url: string): Block {
  const style =
    `display:inline-block;padding:12px 24px;border-radius:999px;background:${darkColours.gold};color:${darkColours.onGold};` +
    `font-weight:600;text-decoration:none`;
  const address = oneLine(url);
  return {
    text: `${wrap(`${label}:`)}\n${address}`,
    html: `<p style="margin:24px 0"><a class="button" href="${escapeHtml(address)}" style="${style}">${escapeHtml(label)}</a></p>`,
  };
}

export function quietLink(label: string, url: string): Block {
  const address = oneLine(url);
  return {
    text: `${wrap(`${label}:`)}\n${address}`,
    html: `<p style="margin:0 0 16px"><a class="link" href="${escapeHtml(address)}" style="color:${darkColours.gold}">${escapeHtml(label)}</a></p>`,
  };
}

/** In the text, each address is alone on its line. */
export function linkList(links: { label: string; note: string; url: string }[]): Block {
  const lines = links.map(({ label, note, url }) => ({
    label: oneLine(label),
    note: oneLine(note),
    url: oneLine(url),
  }));
  const html = lines.map(
    ({ label, note, url }) =>
      `<li style="margin:0 0 12px"><a class="link" href="${escapeHtml(url)}" style="color:${darkColours.gold}">${escapeHtml(label)}</a>` +
      `<br><span class="muted" style="color:${darkColours.muted};font-size:15px">${escapeHtml(note)}</span></li>`,
  );
  return {
    text: lines.map(({ label, note, url }) => `${wrap(`${label} (${note})`)}\n${url}`).join("\n\n"),
    html: `<ul style="margin:0 0 24px;padding:0;list-style:none">${html.join("")}</ul>`,
  };
}

export function factList(rows: [name: string, value: string][]): Block {
  const lines = rows.map(([name, value]) => [oneLine(name), oneLine(value)] as const);
  const cell = `padding:10px 0;border-bottom:1px solid ${darkColours.line};text-align:left;vertical-align:top`;
  const html = lines.map(
    ([name, value]) =>
      `<tr><th class="muted line" scope="row" style="${cell};padding-right:16px;white-space:nowrap;font-weight:400;color:${darkColours.muted}">` +
      `${escapeHtml(name)}</th><td class="line" style="${cell};overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  return {
    text: lines.map(([name, value]) => wrap(`${name}: ${value}`)).join("\n"),
    html: `<table style="width:100%;margin:0 0 16px;border-collapse:collapse;font-size:inherit">${html.join("")}</table>`,
  };
}

function farewell({ productName, contactEmail }: Sender, why: string): Block {
  const email = oneLine(contactEmail);
  const reason = oneLine(why);
  const link = `<a class="link" href="mailto:${escapeHtml(email)}" style="color:${darkColours.gold}">${escapeHtml(email)}</a>`;
  return {
    text: `${wrap(reason)}\n${wrap(`Questions? Write to ${email}.`)}\n\n${wrap(oneLine(productName))}`,
    html:
      `<p class="muted line" style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid ${darkColours.line};` +
      `color:${darkColours.muted};font-size:15px">${escapeHtml(reason)}<br>Questions? Write to ${link}.</p>`,
  };
}

/** Makes typed text safe for an email. Pure. */

/** Controls, line breaks, and marks that reverse the direction of a text. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
const NAME_MAX_LENGTH = 80;

export function oneLine(text: string): string {
  return text.replace(unprintable, " ").replace(/\s+/g, " ").trim();
}

/** On one line, at most 80 characters. */
export function shortName(name: string): string {
  return Array.from(oneLine(name)).slice(0, NAME_MAX_LENGTH).join("").trim();
}

/** Mail programs turn addresses into links, so a "name" could lead its reader anywhere. */
const addressLike = /[/@]|www\.|[^\s.]\.[\p{L}\d]{2}/iu;

/** A typed name for a sentence; `undefined` when there is none or it looks like an address on the web. */
export function toSafeName(typed: string): string | undefined {
  const name = shortName(displayName(oneLine(typed)));
  return name === "" || addressLike.test(name) ? undefined : name;
}

export function greet(firstName: string): string {
  const name = toSafeName(firstName);
  return name === undefined ? "Hello," : `Hello ${name},`;
}

const LINE_MAX_LENGTH = 76;

/** Lines have at most 76 characters (RFC 5322 allows 78). Longer words are broken too, but never addresses. */
export function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ").flatMap(breakWord)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= LINE_MAX_LENGTH) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}

function breakWord(word: string): string[] {
  if (word.length <= LINE_MAX_LENGTH || /@|:\/\//.test(word)) return [word];
  return word.match(new RegExp(`.{1,${LINE_MAX_LENGTH}}`, "gu")) ?? [];
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Below a button whose link logs in or changes an account. */
export const privateLink = paragraph("This link is just for you. Please don't share it.");
