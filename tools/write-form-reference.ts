// Writes every form of the product into docs/automated-tests.md, from a demo that runs: npm run docs
import { readFileSync, writeFileSync } from "node:fs";

import { actNames, acts, describeAct } from "../server/operations/acts/acts.ts";
import { ensureBuild } from "../server/cli/build.ts";
import type { FoundField } from "./forms/browser.ts";
import { memberSections } from "./forms/members.ts";
import { officeSections } from "./forms/offices.ts";
import { type Met, walkForms } from "./forms/tour.ts";
import { visitorSections } from "./forms/visitors.ts";

const sections = { ...visitorSections, ...memberSections, ...officeSections };

export const MARK = "<!-- forms -->";
export const path = new URL("../docs/automated-tests.md", import.meta.url);

/** Every form of a fresh demo, walked without script and with it. */
export async function writeFormReference(): Promise<string> {
  const [plain, byScript] = await Promise.all([false, true].map((isScript) => walkForms(sections, isScript)));
  if (!plain || !byScript) throw new Error("Both ways were walked");
  for (const [index, met] of plain.entries()) compareAnswers(met, byScript[index]);
  const texts = Object.keys(sections).map((section) => {
    const forms = plain.filter((met) => met.section === section);
    return `### ${section}\n\n${listByAddress(forms.map(toLine))}`;
  });
  return `${texts.join("\n")}\n${writeActs()}`;
}

/** @throws when a mistake that the page names is not in the answer for script. */
function compareAnswers({ title, answers }: Met, byScript: Met | undefined): void {
  for (const [index, { outcome }] of answers.entries()) {
    if (outcome.status !== 400) continue;
    const answer = byScript?.answers[index]?.outcome;
    const lost = outcome.errors.filter((sentence) => !answer?.text.includes(JSON.stringify(sentence).slice(1, -1)));
    if (answer?.status !== 400 || lost.length > 0) throw new Error(`${title}: script is not told ${lost.join(" ")}`);
  }
}

/** `to`: where the form finally leads, if that is another page. */
type Line = { address: string; text: string; to?: string | undefined };

/** The intent, or what the form is for; its fields and its buttons. Hidden fields are left out. */
function toLine({ title, form, answers }: Met): Line {
  const action = withoutSecrets(form.action);
  const parts = [...form.fields.map(fieldText), ...form.buttons];
  return {
    address: `\`${form.method} ${action}\`${form.page === action ? "" : ` on \`${form.page}\``}`,
    text: `- ${form.intent === "" ? title : `\`${form.intent}\``}: ${parts.join(", ")}`,
    to: answers.findLast(({ outcome }) => outcome.status === 303)?.outcome.to,
  };
}

/** One line for each form, however often it was sent, with where the last sending leads. */
function listByAddress(lines: Line[]): string {
  const addresses = new Map<string, Map<string, string>>();
  for (const { address, text, to } of lines) {
    const texts = addresses.get(address) ?? new Map<string, string>();
    addresses.set(address, texts.set(text, to ? ` → \`${to}\`` : ""));
  }
  return [...addresses]
    .map(([address, texts]) => `${address}\n\n${[...texts].map((line) => line.join("")).join("\n")}\n`)
    .join("\n");
}

function fieldText({ name, label, choices }: FoundField): string {
  const given = choices.length > 0 ? ` (${choices.map((choice) => `\`${choice}\``).join(", ")})` : "";
  return `\`${name}\`${label === "" ? "" : ` ${label}`}${given}`;
}

function withoutSecrets(address: string): string {
  return address
    .replace(/\/(?:pay|brf)_demo_[0-9a-f]+/, "/:id")
    .replace(/=(?:[\w.-]{30,}|[A-Z]+(?:-[A-Z0-9]{4}){3}$)/, "=…");
}

/** By an act's subject or the first word of its name. */
const screens: Record<string, string> = {
  member: "/desk/members/:id",
  company: "/desk/companies/:id",
  code: "/desk/codes/:code",
  "sign-up": "/desk/sign-ups/:id",
  gift: "/desk/gifts/:id",
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

/** Acts by their address, from the table that makes the desk's forms. */
function writeActs(): string {
  const lines = actNames.flatMap((name): Line[] => {
    const { subject, desk, item } = acts[name];
    const act = desk && describeAct("owner", name);
    if (!act) return [];
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
    const role = desk.role === "owner" ? " (owner)" : "";
    return [{ address: `\`POST ${screen}\``, text: `- \`${name}\`${role}: ${parts.join(", ")}` }];
  });
  return `### Every act of the desk

Acts take a \`reason\` too, but for “no reason”. (owner): not for support (403). \`item\` names one of several, such as an
order. An act with two buttons asks once more: it answers 200 with what will happen, and a hidden field \`agreed\` to
send with the same fields. A right act is a 303 to the same screen, or to that of what it made; a secret that is shown
once comes with 200.

${listByAddress(lines)}`;
}

if (import.meta.main) {
  // Build once first: the two demos start at the same time, and each would build.
  ensureBuild({ buildDir: "build", basePath: "/" });
  const [before] = readFileSync(path, "utf8").split(MARK);
  writeFileSync(path, `${before}${MARK}\n\n${await writeFormReference()}`);
}
