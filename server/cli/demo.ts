import { ConfigError, readConfig, type Config } from "../config.ts";
import { start, stopOnSignal } from "../main.ts";
import { ensureBuild } from "./build.ts";
import type { Command } from "./main.ts";
import { demoCodeNotes } from "./demo-codes.ts";
import { fillDemo } from "./demo-data.ts";
import { DEMO_PASSWORD, demoMembers } from "./demo-members.ts";

/** Builds if needed, fills an embedded database with demo members and starts. A second start keeps the data. */
export const demoCommand: Command = {
  summary: "start with demo members and the bundled content; needs no account, no key and no network",
  async run(args) {
    if (args.length > 0) {
      console.log(
        "Usage: npm run demo\n\nSettings come from the environment: PORT, HOST, BASE_PATH, DATA_DIR and others of .env.example.",
      );
      return args[0] === "--help" ? 0 : 2;
    }
    try {
      const config = readConfig({ LOG_LEVEL: "warn", ...process.env, DEMO: "true" });
      ensureBuild(config);
      const running = await start(config, fillDemo);
      stopOnSignal(running);
      console.log(greeting(config, running.port));
      return 0;
    } catch (error) {
      console.error(error instanceof ConfigError ? error.message : error);
      return 1;
    }
  },
};

function greeting(config: Config, port: number): string {
  const origin = config.http.origin ?? `http://localhost:${port}`;
  const list = (rows: string[][]) => rows.map(([name = "", note = ""]) => `    ${name.padEnd(28)}${note}`).join("\n");
  const members = list(demoMembers.map(({ email, note }) => [email, note]));
  const codes = list(demoCodeNotes.map(({ code, note }) => [code, note]));
  return `
  ${config.product.name} is open at ${origin}${config.basePath}

  Who can log in (password: ${DEMO_PASSWORD}):
${members}

  Codes of companies to join with:
${codes}

  A card that pays: 4242 4242 4242 4242, any expiry ahead, any CVC
  Mails land in ${config.mail.folder}
  Operators: DEMO=true npm run dormouse -- --help
  Data is kept in ${config.dataDir}; stop with Ctrl+C.
`;
}
