// Writes every form of the product into docs/automated-tests.md, from a demo that runs: npm run docs
import { readFileSync, writeFileSync } from "node:fs";

import { actNames, acts, describeActs } from "../server/operations/acts/acts.ts";
import type { DeskForm } from "../server/operations/acts/act.ts";
import { ensureBuild } from "../server/cli/build.ts";
import * as table from "../server/refusals.ts";
import type { FoundField, Outcome } from "./forms/browser.ts";
import { memberSections } from "./forms/members.ts";
import { officeSections } from "./forms/offices.ts";
import { type Met, walkForms } from "./forms/tour.ts";
import { visitorSections } from "./forms/visitors.ts";

const sections = { ...visitorSections, ...memberSections, ...officeSections };

export const MARK = "<!-- forms -->";
export const path = new URL("../docs/automated-tests.md", import.meta.url);

/** Every form of a fresh demo, with its answers without script and with it. */
export async function writeFormReference(): Promise<string> {
  const [plain, byScript] = await Promise.all([false, true].map((isScript) => walkForms(sections, isScript)));
  if (!plain || !byScript) throw new Error("Both ways were walked");
  const texts = Object.keys(sections).map((section) => {
    const forms = plain.flatMap((met, index) => (met.section === section ? [writeForm(met, byScript[index])] : []));
    return `### ${section}\n\n${forms.join("\n")}`;
  });
  return `${texts.join("\n")}\n${writeActs()}`;
}

/** A line: where it is sent, its fields, its buttons, and what it answers. Hidden fields are for programs to send back as they are. */
function writeForm({ title, form, answers }: Met, byScript: Met | undefined): string {
  const intent = form.intent === "" ? "" : `, intent \`${form.intent}\``;
  const address = withoutSecrets(form.action);
  const from = form.page === address ? "" : `, on \`${form.page}\``;
  const outcomes = answers.map(
    ({ sent, outcome }, index) =>
      `${sent === "right" ? "" : `_${sent}_ `}${answerText(outcome, byScript?.answers[index]?.outcome)}`,
  );
  const lines = [
    [form.fields.map(fieldText), form.buttons].flatMap((each) => (each.length > 0 ? [each.join(", ")] : [])).join("; "),
    ...(outcomes.length > 0 ? [outcomes.join("; ")] : []),
  ];
  const what = `**${title}**: \`${form.method} ${address}\`${intent}${from}`;
  return `${what}\n\n${lines.map((line) => `- ${line}`).join("\n")}\n`;
}

function fieldText({ name, label, choices }: FoundField): string {
  const given = choices.length > 0 ? ` (${choices.map((choice) => `\`${choice}\``).join(", ")})` : "";
  return `\`${name}\`${label === "" ? "" : ` “${label}”`}${given}`;
}

function withoutSecrets(address: string): string {
  return address.replace(/\/(?:pay|brf)_demo_[0-9a-f]+/, "/:id").replace(/=[\w.-]{30,}/, "=…");
}

/** @throws when the answer for script differs from the page's. */
function answerText(plain: Outcome, byScript: Outcome | undefined): string {
  const lost = plain.errors.filter((sentence) => !byScript?.text.includes(JSON.stringify(sentence).slice(1, -1)));
  if (plain.status === 400 && (byScript?.status !== 400 || lost.length > 0)) {
    throw new Error(`Script is not told: ${lost.join(" ")}`);
  }
  const names = plain.errors.flatMap((sentence) => findRefusal(sentence));
  const why = names.length > 0 ? `: ${names.map((name) => `\`${name}\``).join(", ")}` : "";
  return `${plain.status}${plain.to === "" ? "" : ` to \`${plain.to}\``}${why}${scriptText(plain, byScript)}`;
}

function scriptText(plain: Outcome, byScript: Outcome | undefined): string {
  if (!byScript || plain.status >= 400 || byScript.to === plain.to) return "";
  return byScript.to === "" ? ", with script no redirect" : `, with script to \`${byScript.to}\``;
}

const { refusals: _all, ...sentences } = table;

/** The key of a sentence in server/refusals.ts, where it is written once. */
function findRefusal(sentence: string): string[] {
  const keys = Object.entries(sentences).flatMap(([section, texts]) =>
    Object.entries(texts).flatMap(([key, text]) => (isSentence(text, sentence) ? [`${section}.${key}`] : [])),
  );
  return keys.slice(0, 1);
}

const GAP = "\0";

function isSentence(text: string | ((wait: string) => string), sentence: string): boolean {
  const [start = "", end] = (typeof text === "string" ? text : text(GAP)).split(GAP);
  return end === undefined ? sentence === start : sentence.startsWith(start) && sentence.endsWith(end);
}

/** By an act's subject or the first word of its name. */
const screens: Record<string, string> = {
  member: "/desk/members/:id",
  company: "/desk/companies/:id",
  code: "/desk/codes/:code",
  "sign-up": "/desk/sign-ups/:id",
  "email list": "/desk/emails",
  self: "/desk/access",
};
const others: Record<string, string> = {
  "company create": "/desk/companies",
  "code create": "/desk/codes",
  list: "/desk/members?list=LIST",
  mail: "/desk/emails",
  webhook: "/desk/webhooks",
  job: "/desk/jobs",
  catalogue: "/desk/catalogue",
  operator: "/desk/access",
  access: "/desk/access",
};

/** By their address, from the table that makes the desk's forms. */
function writeActs(): string {
  const shown = describeActs("owner");
  const byScreen = new Map<string, string[]>();
  for (const name of actNames) {
    const act = shown[name];
    if (!act) continue;
    const { subject, desk, item } = acts[name];
    const screen = others[name] ?? screens[subject] ?? others[name.split(" ")[0] ?? ""];
    if (!screen) throw new Error(`The screen of ${name} is not known here`);
    const own = act.fields.filter((field) => field.name !== "reason");
    const fields = own.map(
      ({ name: field, label, isOptional }) => `\`${field}\` ${label}${isOptional ? " (optional)" : ""}`,
    );
    const parts = [
      ...(item ? ["`item`"] : []),
      ...fields,
      ...(own.length === act.fields.length ? ["no reason"] : []),
      act.asks ? `“Continue”, “${act.button}”` : `“${act.button}”`,
    ];
    const line = `- \`${name}\`${(desk as DeskForm).role === "owner" ? " (owner)" : ""}: ${parts.join(", ")}`;
    byScreen.set(screen, [...(byScreen.get(screen) ?? []), line]);
  }
  const lists = [...byScreen].map(([screen, lines]) => `\`POST ${screen}\`\n\n${lines.join("\n")}\n`);
  return `### Every act of the desk

Each line has an intent, its fields and its button. Acts take a \`reason\` too, unless the line says “no reason”. Those of an owner
say so; support may do the others. \`item\` names one of several, such as an order. An act with two buttons asks once more: it
answers 200 with what will happen, and a hidden field \`agreed\` to send with the same fields.

A wrong field is a 400, a role that is too low a 403. A right act is a 303 to the same screen, or to the screen of the thing
that it made. A secret that is shown once comes with 200.

${lists.join("\n")}`;
}

if (import.meta.main) {
  // Two demos are walked side by side, and each would build.
  ensureBuild({ buildDir: "build", basePath: "/" });
  const [before] = readFileSync(path, "utf8").split(MARK);
  writeFileSync(path, `${before}${MARK}\n\n${await writeFormReference()}`);
}
