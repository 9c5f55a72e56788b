import type { Letter, LetterHouse } from "./letter.ts";
import { darkColours as colours, page } from "./page.ts";
import { escapeHtml, oneLine, wrap } from "./words.ts";

/** One piece of a letter, in both its forms. */
export type Block = { text: string; html: string };

export type Draft = { house: LetterHouse; subject: string; blocks: Block[] };

/** Sets a letter from its blocks: as plain text, and as a page that mail programs understand. */
export function composeLetter({ house, subject, blocks }: Draft): Letter {
  const title = oneLine(subject);
  const all = [...blocks, farewell(house)];
  return {
    subject: title,
    text: `${all.map((block) => block.text).join("\n\n")}\n`,
    html: page({ house, title, body: all.map((block) => block.html).join("\n") }),
  };
}

export function paragraph(words: string): Block {
  const line = oneLine(words);
  return { text: wrap(line), html: `<p style="margin:0 0 16px">${escapeHtml(line)}</p>` };
}

/** A code to type: alone on its line, in the text too. */
export function code(digits: string): Block {
  const style =
    `margin:0 0 16px;padding:16px;border-radius:14px;background:${colours.surface};color:${colours.text};text-align:center;` +
    `font-family:ui-monospace,Menlo,Consolas,monospace;font-size:32px;line-height:1.25;letter-spacing:6px`;
  const line = oneLine(digits);
  return { text: line, html: `<p class="surface" style="${style}">${escapeHtml(line)}</p>` };
}

/** What to press: a button, or in the text its words with the address alone on the next line. */
export function button(label: string, url: string): Block {
  const style =
    `display:inline-block;padding:12px 24px;border-radius:999px;background:${colours.gold};color:${colours.onGold};` +
    `font-weight:600;text-decoration:none`;
  const address = oneLine(url);
  return {
    text: `${wrap(`${label}:`)}\n${address}`,
    html: `<p style="margin:24px 0"><a class="button" href="${escapeHtml(address)}" style="${style}">${escapeHtml(label)}</a></p>`,
  };
}

/** What is named and what it is, a line each. */
export function facts(rows: [name: string, value: string][]): Block {
  const lines = rows.map(([name, value]) => [oneLine(name), oneLine(value)] as const);
  const cell = `padding:10px 0;border-bottom:1px solid ${colours.line};text-align:left;vertical-align:top`;
  const html = lines.map(
    ([name, value]) =>
      `<tr><th class="muted line" scope="row" style="${cell};padding-right:16px;white-space:nowrap;font-weight:400;color:${colours.muted}">` +
      `${escapeHtml(name)}</th><td class="line" style="${cell};overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  return {
    text: lines.map(([name, value]) => wrap(`${name}: ${value}`)).join("\n"),
    html: `<table style="width:100%;margin:0 0 16px;border-collapse:collapse;font-size:inherit">${html.join("")}</table>`,
  };
}

function farewell({ productName, contactEmail }: LetterHouse): Block {
  const email = oneLine(contactEmail);
  const link = `<a class="link" href="mailto:${escapeHtml(email)}" style="color:${colours.gold}">${escapeHtml(email)}</a>`;
  return {
    text: wrap(`Questions? Write to ${email}.`) + `\n\n${wrap(oneLine(productName))}`,
    html:
      `<p class="muted line" style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid ${colours.line};` +
      `color:${colours.muted};font-size:15px">Questions? Write to ${link}.</p>`,
  };
}
