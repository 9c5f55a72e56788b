import type { Config, ConfigError } from "../config.ts";
import { SchemaError } from "../platform/database/faults.ts";
import { checkParts, type Finding, ok, findingText, serviceChecks, wrong } from "../operations/desk/health.ts";
import { findBuildFault } from "./build.ts";
import { readSettings, useServices } from "./command-context.ts";
import { type Command, FaultError, type Terminal } from "./command.ts";
import { printTable } from "../operations/acts/print.ts";

/** Continues when a part is broken. */
export const doctorCommand: Command = {
  summary: "check every part that is configured, and say how to fix each fault",
  example: "doctor",
  async run(_input, terminal) {
    const found = await examine(terminal);
    const findings = found.map((finding) => {
      const { part, state } = finding;
      return { part, state, says: findingText(finding, "command") };
    });
    const isWell = findings.every(({ state }) => state !== "wrong");
    const rows = findings.map(({ part, state, says }) => [part, state, says]);
    const text = printTable(["PART", "STATE", "WHAT"], rows, { whenEmpty: "" });
    return { ok: isWell, text, json: { isWell, findings } };
  },
};

async function examine(terminal: Terminal): Promise<Finding[]> {
  let config: Config;
  try {
    config = await readSettings(terminal.env);
  } catch (error) {
    if (!(error instanceof Error && "mistakes" in error)) throw error;
    return (error as ConfigError).mistakes.map((mistake) => wrong("settings", `${mistake}.`));
  }
  const settings = ok("settings", "They're all there and valid.");
  return [settings, checkBuild(config), ...(await examineServices(config, terminal))];
}

async function examineServices(config: Config, terminal: Terminal): Promise<Finding[]> {
  try {
    return await useServices(config, { isQuiet: true, terminal }, async (services) => {
      const findings: Finding[] = [];
      for (const check of serviceChecks) findings.push(...(await check(services)));
      return [...findings, ...(await checkParts(services.parts))];
    });
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    // The parts that others run need no data, so an empty database replaces ours.
    const empty: Config = { ...config, database: { kind: "sqlite", path: ":memory:" } };
    const ofParts = await useServices(empty, { isQuiet: true, terminal }, ({ parts }) => checkParts(parts));
    const advice = error.cause instanceof SchemaError ? "" : ` ${adviceOn(config)}`;
    return [wrong("database", `${error.message}.${advice}`), ...ofParts];
  }
}

function adviceOn({ database }: Config): string {
  return database.kind === "sqlite"
    ? "Is DATA_DIR right, and can this user write to it?"
    : "Is DATABASE_URL right, and is the PostgreSQL running?";
}

function checkBuild(config: Config): Finding {
  const { buildDir, basePath } = config;
  const fault = findBuildFault(config);
  if (fault === "missing") return wrong("build", `There is none in ${buildDir}. Run npm run build.`);
  return fault
    ? wrong(
        "build",
        `It was made for a different path from BASE_PATH ${basePath}. Run npm run build with that BASE_PATH.`,
      )
    : ok("build", `It is in ${buildDir}, for ${basePath}.`);
}
