import type { Config } from "../config.ts";
import { isDemoClockSet } from "../platform/demo-clock.ts";
import type { Mailer } from "../platform/email/sending.ts";
import { formatDateTime } from "../platform/format.ts";
import type { Services } from "../services.ts";
import { ensureBuild } from "./build.ts";
import { FaultError, type Command } from "./command.ts";
import { DEMO_PASSWORD, demoCodes, demoMembers, fillDemo } from "./demo-data.ts";
import { addDemoHistory, DEMO_CONTACT } from "./demo-history.ts";
import { readSettings } from "./command-context.ts";
import type { Running } from "../main.ts";

/** Builds if needed, fills an embedded database with demo members and starts. A second start keeps the data. */
export const demoCommand: Command = {
  summary: "start with demo members and the bundled content, with no account, key or network",
  options: { fresh: { help: "start afresh: everything done so far is lost, and the clock is set to the real time" } },
  example: "demo --fresh",
  note: "Settings come from the environment: PORT, HOST, BASE_PATH, DATA_DIR and others of .env.example.",
  async run(input, { env }) {
    const config = await readSettings({ LOG_LEVEL: "warn", ...env, DEMO: "true" });
    ensureBuild(config);
    const { emptyDemo, keepStart } = await import("./demo-start.ts");
    if (input.has("fresh")) await emptyDemo(config);
    const { exitWhenLost, startFaultText, start, stopOnSignal } = await import("../main.ts");
    // A provider has its own members.
    let desk = "";
    const prepare = async (services: Services) => {
      await fillDemo(services);
      // Real gateways do not know invented payments.
      if (config.cardGateway.kind === "demo" && config.debits.kind === "demo") await addDemoHistory(services);
      desk = await inviteOlive(services);
    };
    const filled = config.provider ? undefined : (services: Services) => keepStart(config, () => prepare(services));
    const running = await start(config, filled, { wrapMailer: printEmails }).catch((error: unknown) => {
      throw new FaultError(startFaultText(error), { cause: error });
    });
    stopOnSignal(running);
    exitWhenLost(running);
    console.log(greeting(config, running));
    if (!config.provider) console.log(deskText(desk, toOrigin(config, running.port) + config.basePath));
    if (isDemoClockSet(config.dataDir)) console.log(clockText(running.services.clock()));
    return undefined;
  },
};

function toOrigin({ http }: Config, port: number): string {
  return http.origin ?? `http://localhost:${port}`;
}

function greeting(config: Config, { port, services }: Running): string {
  const origin = toOrigin(config, port);
  if (config.provider)
    return `\n  ${config.product.name} is open at ${origin}${config.basePath} for the members of ${config.provider.url}\n`;
  const members = listNotes(demoMembers.map(({ email, note }) => [email, note]));
  const testCards = listNotes((services.cardFields.testCards ?? []).map(({ number, note }) => [number, note]));
  const codes = listNotes(demoCodes.map(({ code, note }) => [code, note]));
  return `
  ${config.product.name} is open at ${origin}${config.basePath}

  Who can log in (password: ${DEMO_PASSWORD}):
${members}

  Codes of companies to join with:
${codes}

  ${testCards ? `Cards, with any expiry ahead and any CVC:\n${testCards}` : "Cards: the test cards of your payment provider"}

  ${config.mail.kind === "files" ? `Mails land in ${config.mail.folder}` : "Mails go out by SMTP"}
  Operators: DEMO=true npm run dormouse -- --help
  Data is kept in ${config.dataDir}; stop with Ctrl+C.
`;
}

/** Prints a line for each sent email: recipient, subject, codes and links. */
function printEmails(mailer: Mailer): Mailer {
  return {
    ...mailer,
    async send(message) {
      const delivery = await mailer.send(message);
      // Codes and links have lines of their own in the text.
      const found = message.text.match(/^(?:\d{6}|https?:\/\/\S+)$/gm) ?? [];
      if (delivery.ok) console.log(["  Email to", message.to, `"${message.subject}"`, ...found].join(" "));
      return delivery;
    },
  };
}

const OLIVE = { email: "olive@dormouse.example", name: "Olive Thorn", role: "owner" } as const;

/** Returns the query of the operator's link, which is an invitation until it is accepted. */
async function inviteOlive({ operators }: Services): Promise<string> {
  const known = await operators.find(OLIVE.email);
  if (known?.isActive) return "";
  const invited = known ? await operators.inviteAgain(known.id) : await operators.add(OLIVE);
  return invited ? `?invitation=${invited.invitation}` : "";
}

function deskText(query: string, site: string): string {
  return `  The desk of operators, to ${query ? "set up the account of" : "log in as"} ${OLIVE.email}:
    ${site}desk${query}
  The page of a company, by a code to ${DEMO_CONTACT}:
    ${site}company
`;
}

function clockText(now: Date): string {
  return `  The clock was set, and shows ${formatDateTime(now)} in London: DEMO=true npm run dormouse -- demo clock real
`;
}

function listNotes(rows: string[][]): string {
  return rows.map(([name = "", note = ""]) => `    ${name.padEnd(28)}${note}`).join("\n");
}
