import type { Config } from "../config.ts";
import type { Rooms } from "../rooms.ts";
import { commandLog, noLog, sayError } from "./command-log.ts";
import { FaultError } from "./command.ts";
import { findOperator } from "./operator.ts";

/** What a command works with: the product on the same data as the running server, and who is asking. */
export type OpenHouse = { rooms: Rooms; config: Config; operator: string };

/** `isQuiet`: the answer says what the log would. `hasContentAtOnce`: it is about content, which takes a moment to read. */
type Manner = { isQuiet?: boolean; hasContentAtOnce?: boolean };

/** Opens the rooms, works, and closes them. */
export async function withRooms<Result>(
  work: (house: OpenHouse) => Promise<Result>,
  manner: Manner = {},
): Promise<Result> {
  const config = await readSettings();
  const rooms = await openRooms(config, manner);
  try {
    return await work({ rooms, config, operator: findOperator(process.env) });
  } finally {
    await rooms.close();
  }
}

/**
 * The settings of the environment. Loaded when a command needs them, as the rooms are: help and usage stay quick.
 * @throws {ConfigError} naming every mistake.
 */
export async function readSettings(env: NodeJS.ProcessEnv = process.env): Promise<Config> {
  const { readConfig } = await import("../config.ts");
  return readConfig(env);
}

/** @throws {FaultError} when the database cannot be opened. */
export async function openRooms(config: Config, { isQuiet, hasContentAtOnce = false }: Manner): Promise<Rooms> {
  const [{ createRooms }, { BEGINS_NEW, findNewFile }] = await Promise.all([
    import("../rooms.ts"),
    import("../database/database.ts"),
  ]);
  const newFile = findNewFile(config.database);
  try {
    const rooms = await createRooms(config, { log: isQuiet ? noLog : commandLog, hasContentAtOnce });
    if (newFile) console.error(`${BEGINS_NEW}: ${newFile}`);
    return rooms;
  } catch (error) {
    throw new FaultError(`The database cannot be opened: ${sayError(error)}`, { cause: error });
  }
}
