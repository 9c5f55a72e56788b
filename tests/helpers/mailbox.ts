import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";

/** As its reader sees it. */
export type Email = { to: string; subject: string; text: string };

/** Read before: a file never changes, and journeys read a folder of hundreds again and again. */
const opened = new Map<string, Email>();

/** In a demo's folder, oldest first. */
export async function readMailFolder(folder: string): Promise<Email[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".eml")).toSorted();
  return Promise.all(files.map((name) => openOnce(join(folder, name))));
}

async function openOnce(path: string): Promise<Email> {
  const known = opened.get(path);
  if (known) return known;
  const { to, subject = "", text = "" } = await PostalMime.parse(await readFile(path));
  const mail = { to: to?.[0]?.address ?? "", subject, text };
  opened.set(path, mail);
  return mail;
}

export function emailsTo<SomeEmail extends Email>(email: string, emails: SomeEmail[]): SomeEmail[] {
  return emails.filter(({ to }) => to === email);
}

/** Six digits alone on a line. */
export function codeIn(mail: Email | undefined): string {
  const code = mail && /^\d{6}$/m.exec(mail.text)?.[0];
  if (code === undefined) throw new Error(`There is no code in the email “${mail?.subject}”`);
  return code;
}

/** The first address alone on a line. */
export function linkIn(mail: Email | undefined): string {
  const link = mail && /^https?:\/\/\S+$/m.exec(mail.text)?.[0];
  if (link === undefined) throw new Error(`There is no link in the email “${mail?.subject}”`);
  return link;
}

export function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}
