// Writes every form of the product into docs/automated-tests.md, from a demo that runs: npm run docs
import { readFileSync, writeFileSync } from "node:fs";

import { actNames, acts, describeActs } from "../server/operations/acts/acts.ts";
import type { DeskForm } from "../server/operations/acts/act.ts";
import { HEADING, type Outcome } from "./forms/browser.ts";
import { memberSections } from "./forms/members.ts";
import { officeSections } from "./forms/offices.ts";
import { type Met, walkForms } from "./forms/tour.ts";
import { visitorSections } from "./forms/visitors.ts";

const sections = { ...visitorSections, ...memberSections, ...officeSections };

export const MARK = "<!-- forms -->";
export const path = new URL("../docs/automated-tests.md", import.meta.url);

/** Every form, as a fresh demo has it; what it answers was tried without script and as script sends it. */
export async function writeFormReference(): Promise<string> {
  const [plain, byScript] = await Promise.all([false, true].map((isScript) => walkForms(sections, isScript)));
  if (!plain || !byScript) throw new Error("Both ways were walked");
  const texts = Object.keys(sections).map((section) => {
    const forms = plain.flatMap((met, index) => (met.section === section ? [writeForm(met, byScript[index])] : []));
    return `### ${section}\n\n${forms.join("\n")}`;
  });
  return `${texts.join("\n")}\n${writeActs()}`;
}

function writeForm({ title, form, answers }: Met, byScript: Met | undefined): string {
  const intent = form.intent === "" ? "" : `, intent \`${form.intent}\``;
  const address = withoutSecrets(form.action);
  const from = form.page === address ? "" : `, on \`${form.page}\``;
  const lines = [
    ...form.fields.map(({ name, label, takes }) => `\`${name}\`${label === "–" ? "" : `, “${label}”`}: ${takes}`),
    ...(form.buttons.length > 0 ? [`button ${form.buttons.join(", ")}`] : []),
    ...answers.map(
      ({ sent, outcome }, index) => `_${sent}_ → ${answerText(outcome, byScript?.answers[index]?.outcome)}`,
    ),
  ];
  const what = `**${title}** · \`${form.method} ${address}\`${intent}${from}`;
  return `${what}\n\n${lines.map((line) => `- ${line}`).join("\n")}\n`;
}

function withoutSecrets(address: string): string {
  return address.replace(/\/(?:pay|brf)_demo_[0-9a-f]+/, "/:id").replace(/=[\w.-]{30,}/, "=…");
}

/** @throws when script is told something else than a page without it. */
function answerText(plain: Outcome, byScript: Outcome | undefined): string {
  const says = plain.says.map((sentence) =>
    sentence.startsWith(HEADING) ? `heading “${sentence.slice(HEADING.length)}”` : `“${sentence}”`,
  );
  const where = plain.to === "" ? (plain.status === 400 ? ", the same page" : "") : ` to \`${plain.to}\``;
  if (plain.status === 400) {
    const lost = plain.says.filter((sentence) => !byScript?.text.includes(JSON.stringify(sentence).slice(1, -1)));
    const news = lost.filter((sentence) => !sentence.startsWith(HEADING));
    if (byScript?.status !== 400 || news.length > 0) throw new Error(`Script is not told: ${news.join(" ")}`);
  }
  return `${plain.status}${where}${says.length > 0 ? `: ${says.join(" ")}` : ""}${scriptText(plain, byScript)}`;
}

function scriptText(plain: Outcome, byScript: Outcome | undefined): string {
  if (!byScript || plain.status >= 400) return "";
  if (byScript.to === plain.to) return "";
  const isSaid = plain.says.some((sentence) => !sentence.startsWith(HEADING));
  return byScript.to === ""
    ? `; with script the page stays${isSaid ? ", and says so" : ""}`
    : `; with script to \`${byScript.to}\``;
}

/** The screen of an act, by its subject or by the first word of its name. */
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

/** The acts of the desk, from the one table that makes their forms. */
function writeActs(): string {
  const shown = describeActs("owner");
  const rows = actNames.flatMap((name) => {
    const act = shown[name];
    if (!act) return [];
    const { subject, desk, item } = acts[name];
    const screen = others[name] ?? screens[subject] ?? others[name.split(" ")[0] ?? ""] ?? "";
    if (screen === "") throw new Error(`The screen of ${name} is not known here`);
    const fields = act.fields.map(
      ({ name: field, label, isOptional }) => `\`${field}\` ${label}${isOptional ? " (optional)" : ""}`,
    );
    const all = [...(item ? ["`item`"] : []), ...fields].join(", ");
    return [
      [
        `\`${name}\``,
        `\`${screen}\``,
        all || "–",
        `“${act.asks ? "Continue" : act.button}”`,
        act.asks ? `“${act.button}”` : "–",
        (desk as DeskForm).role,
      ],
    ];
  });
  const head = ["intent", "POST to", "fields", "button", "asks once more", "least role"];
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `### Every act of the desk

An act with a wrong field is answered 400, with a sentence at that field; one of an operator whose role is too low, 403. A right
one is answered 303 to the same screen, or to that of what it made, which says what was done; a secret that is shown once comes
with 200. \`item\` names one of several, such as an order. An act that asks once more answers 200 with what will happen, and a
hidden field \`agreed\` to send with the same fields.

${lines.join("\n")}
`;
}

if (import.meta.main) {
  const [before] = readFileSync(path, "utf8").split(MARK);
  writeFileSync(path, `${before}${MARK}\n\n${await writeFormReference()}`);
}
