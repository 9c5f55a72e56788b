import type { Config, ConfigError } from "../config.ts";
import type { Rooms } from "../rooms.ts";
import { FaultError, type Command } from "./command.ts";
import { checkBuild } from "./doctor-settings.ts";
import { ok, wrong, type Finding } from "./finding.ts";
import { printTable } from "./print-table.ts";
import { openRooms, readSettings } from "./with-rooms.ts";

/** Looks at every part that is configured, and goes on when one is broken. */
export const doctorCommand: Command = {
  summary: "check every part that is configured: what is wrong, and what to do about it",
  example: "doctor",
  async run() {
    const findings = await examine();
    const isWell = findings.every(({ state }) => state !== "wrong");
    const rows = findings.map(({ part, state, says }) => [part, state, says]);
    const text = printTable(["PART", "STATE", "WHAT"], rows, { whenEmpty: "" });
    return { ok: isWell, text, json: { isWell, findings } };
  },
};

async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = await readSettings();
  } catch (error) {
    if (!(error instanceof Error && "mistakes" in error)) throw error;
    return (error as ConfigError).mistakes.map((mistake) => wrong("settings", `${mistake}.`));
  }
  const settings = ok("settings", "They can be read, and none is missing.");
  return [settings, checkBuild(config), ...(await examineRooms(config))];
}

async function examineRooms(config: Config): Promise<Finding[]> {
  let rooms: Rooms;
  try {
    rooms = await openRooms(config, { isQuiet: true });
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return [wrong("database", `${error.message}. ${adviceOn(config)}`), ...(await examineWithoutDatabase(config))];
  }
  try {
    const [{ roomChecks }, { checkParts }] = await Promise.all([
      import("./doctor-rooms.ts"),
      import("./doctor-parts.ts"),
    ]);
    const findings: Finding[] = [];
    for (const check of roomChecks) findings.push(...(await check({ rooms, config })));
    return [...findings, ...(await checkParts(rooms.parts))];
  } finally {
    await rooms.close();
  }
}

/** The parts that others run need none of ours: an empty one stands in for it. */
async function examineWithoutDatabase(config: Config): Promise<Finding[]> {
  const { checkParts } = await import("./doctor-parts.ts");
  const rooms = await openRooms({ ...config, database: { kind: "sqlite", path: ":memory:" } }, { isQuiet: true });
  try {
    return await checkParts(rooms.parts);
  } finally {
    await rooms.close();
  }
}

function adviceOn({ database }: Config): string {
  return database.kind === "sqlite"
    ? "Is DATA_DIR right, and may this user write to it?"
    : "Is DATABASE_URL right, and does the PostgreSQL run?";
}
