import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { setDemoClock } from "../../server/platform/demo-clock.ts";
import { type DemoProcess, startDemo } from "../../tests/helpers/demo-process.ts";
import { createCommands, type Dormouse } from "../../tests/helpers/dormouse.ts";
import { codeIn, type Email, readMailFolder } from "../../tests/helpers/mailbox.ts";
import { type FormBrowser, type FoundForm, listForms, openFormBrowser, type Outcome } from "./browser.ts";

export type Met = {
  section: string;
  title: string;
  form: FoundForm;
  answers: { sent: string; outcome: Outcome }[];
};

/** `intent`: the form's or its button's, or the form's address. `html`: the page, if it is an answer. */
type Place = { path: string; intent: string; title: string; html?: string };

/** The typed fields and pressed buttons of each way to send a form, by its label. */
type Ways = Record<string, Record<string, string>>;

export type Tour = {
  demo: DemoProcess;
  commands: Dormouse;
  open: () => FormBrowser;
  /** Sends a form of a page in each of these ways; returns the last outcome. */
  fill: (browser: FormBrowser, place: Place, ways: Ways) => Promise<Outcome>;
  /** The newest email with these words in its subject, other than `before`. */
  readEmail: (to: string, subject?: string, before?: Email) => Promise<Email>;
};

export type Section = (tour: Tour) => Promise<unknown>;

/** Fixed, so that sentences with a day are always the same. */
const BEGIN = "2026-11-27T12:00:00Z";

/** Walks through a fresh demo as people would; returns each form that was met. */
export async function walkForms(sections: Record<string, Section>, isScript: boolean): Promise<Met[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "dormouse-forms-"));
  setDemoClock(dataDir, new Date(BEGIN));
  const demo = await startDemo({ DATA_DIR: dataDir });
  const met: Met[] = [];
  try {
    for (const [section, walk] of Object.entries(sections)) await walk(createTour({ demo, section, met, isScript }));
    return met;
  } finally {
    await demo.stop();
  }
}

type Walked = { demo: DemoProcess; section: string; met: Met[]; isScript: boolean };

function createTour({ demo, section, met, isScript }: Walked): Tour {
  const commands = createCommands({ DEMO: "true", DATA_DIR: demo.dataDir, PORT: new URL(demo.url).port });
  return {
    demo,
    commands,
    open: () => openFormBrowser(demo.url, { isScript }),
    async fill(browser, { path, intent, title, html }, ways) {
      const found = html === undefined ? await browser.find(path) : listForms(html, path);
      const form = requireForm(found, intent);
      const entry: Met = { section, title, form, answers: [] };
      met.push(entry);
      for (const [sent, typed] of Object.entries(ways)) {
        entry.answers.push({ sent, outcome: await browser.send(form, typed) });
      }
      return entry.answers.at(-1)?.outcome ?? { status: 0, address: path, to: "", errors: [], text: "" };
    },
    readEmail: (to, subject = "", before?) => readEmail({ demo, commands }, { to, subject, before }),
  };
}

/** A form by its own intent, a button's, or its address. */
export function requireForm(forms: FoundForm[], intent: string): FoundForm {
  const form = forms.find(
    (each) =>
      each.intent === intent ||
      each.action.split("?")[0] === intent ||
      each.buttons.some((button) => button.includes(`\`intent\`: \`${intent}\``)),
  );
  if (form) return form;
  throw new Error(`There is no form ${intent} among ${forms.map((each) => each.intent || each.action).join(", ")}`);
}

const ATTEMPTS = 400;
const BETWEEN_IN_MS = 25;

type Sought = { to: string; subject: string; before: Email | undefined };

/** The server may be writing the file. */
async function readEmail(
  { demo, commands }: Pick<Tour, "demo" | "commands">,
  { to, subject, before }: Sought,
): Promise<Email> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await commands.run("job", "run", "send-mail");
    const mails = await readMailFolder(join(demo.dataDir, "outbox"));
    const mail = mails.findLast((each) => each.to === to && each.subject.includes(subject));
    if (mail && mail.text !== before?.text) return mail;
    await delay(BETWEEN_IN_MS);
  }
  throw new Error(`No email to ${to} about “${subject}” came`);
}

/* People, as they are when the interesting forms come. */

export const NEW_PASSWORD = "moss-lantern-42";
export const CARD = { number: "4242 4242 4242 4242", expiry: "12 / 40", cvc: "123" };
export const member = { email: "member@dormouse.example", password: DEMO_PASSWORD };
export const nora = {
  accountType: "individual",
  firstName: "Nora",
  lastName: "Penn",
  email: "nora@example.org",
  password: NEW_PASSWORD,
  passwordConfirmation: NEW_PASSWORD,
};

export async function logIn(tour: Tour, email = member.email, password = DEMO_PASSWORD): Promise<FormBrowser> {
  const browser = tour.open();
  await browser.post("/login", { intent: "log-in", email, password });
  return browser;
}

/** A visitor whose sign-up has reached the card page, and its address. */
export async function reachCardPage(tour: Tour, email: string): Promise<{ browser: FormBrowser; path: string }> {
  const browser = tour.open();
  await browser.post("/signup?step=1", { intent: "details", code: "", ...nora, email });
  await browser.post("/signup?step=2", { intent: "verify", oneTimeCode: codeIn(await tour.readEmail(email)) });
  await browser.post("/signup?step=2", { intent: "plan", planType: "3" });
  const { values } = requireForm(await browser.find("/signup?step=3"), "pay");
  const paying = { ...Object.fromEntries(values), intent: "pay", postcode: "EX1 1AA" };
  const { location } = await browser.post("/signup?step=3", paying);
  return { browser, path: new URL(location, tour.demo.url).pathname };
}

export function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}
