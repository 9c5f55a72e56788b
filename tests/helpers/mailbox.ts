import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";

/** A letter as whoever gets it reads it. */
export type Letter = { to: string; subject: string; text: string };

/** What was read before: a file appears whole and stays as it is, and journeys look into a folder of hundreds again and again. */
const opened = new Map<string, Letter>();

/** The letters in a demo's folder, oldest first. */
export async function readMailFolder(folder: string): Promise<Letter[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".eml")).toSorted();
  return Promise.all(files.map((name) => openOnce(join(folder, name))));
}

async function openOnce(path: string): Promise<Letter> {
  const known = opened.get(path);
  if (known) return known;
  const { to, subject = "", text = "" } = await PostalMime.parse(await readFile(path));
  const letter = { to: to?.[0]?.address ?? "", subject, text };
  opened.set(path, letter);
  return letter;
}

export function lettersTo<SomeLetter extends Letter>(email: string, letters: SomeLetter[]): SomeLetter[] {
  return letters.filter(({ to }) => to === email);
}

/** The six digits that stand alone on a line. */
export function codeIn(letter: Letter | undefined): string {
  const code = letter && /^\d{6}$/m.exec(letter.text)?.[0];
  if (code === undefined) throw new Error(`There is no code in the letter “${letter?.subject}”`);
  return code;
}

/** The first address that stands alone on a line. */
export function linkIn(letter: Letter | undefined): string {
  const link = letter && /^https?:\/\/\S+$/m.exec(letter.text)?.[0];
  if (link === undefined) throw new Error(`There is no link in the letter “${letter?.subject}”`);
  return link;
}

/** Six digits that are not the code. */
export function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}
