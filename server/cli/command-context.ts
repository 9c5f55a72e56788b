import { userInfo } from "node:os";

import { cleanName } from "../members/accounts/profile-fields.ts";
import type { Config } from "../config.ts";
import { SchemaError } from "../platform/database/faults.ts";
import { errorText } from "../platform/faults.ts";
import type { Log } from "../platform/log.ts";
import type { Services } from "../services.ts";
import { FaultError, type Terminal } from "./command.ts";

/** The modules over the data of the running server, and the operator's name. */
export type CommandContext = { services: Services; config: Config; operator: string };

/** `isQuiet`: the answer contains the log's content. `hasContentAtOnce`: waits until content is read. */
type OpenOptions = { isQuiet?: boolean; hasContentAtOnce?: boolean };

export async function withServices<Result>(
  terminal: Terminal,
  work: (ctx: CommandContext) => Promise<Result>,
  options: OpenOptions = {},
): Promise<Result> {
  const config = await readSettings(terminal.env);
  const operator = findOperator(terminal.env);
  return useServices(config, { ...options, terminal }, (services) => work({ services, config, operator }));
}

/** Closes the modules after `work`. @throws {FaultError} when the database cannot be opened. */
export async function useServices<Result>(
  config: Config,
  options: OpenOptions & { terminal: Terminal },
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const services = await openServices(config, options);
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

/**
 * Loaded on demand, like the modules, so that help and usage stay quick. @throws {ConfigError} naming every mistake.
 */
export async function readSettings(env: NodeJS.ProcessEnv): Promise<Config> {
  const { readConfig } = await import("../config.ts");
  return readConfig(env);
}

async function openServices(
  config: Config,
  { isQuiet, hasContentAtOnce = false, terminal }: OpenOptions & { terminal: Terminal },
): Promise<Services> {
  const [{ createServices }, { BEGINS_NEW, findNewFile }] = await Promise.all([
    import("../services.ts"),
    import("../platform/database/open-database.ts"),
  ]);
  const newFile = findNewFile(config.database);
  try {
    const services = await createServices(config, {
      log: isQuiet ? noLog : createCommandLog(terminal),
      hasContentAtOnce,
    });
    if (newFile) terminal.complain(`${BEGINS_NEW}: ${newFile}`);
    return services;
  } catch (error) {
    const opening = error instanceof SchemaError ? "" : "We can't open the database: ";
    throw new FaultError(`${opening}${errorText(error)}`, { cause: error });
  }
}

const MAX_OPERATOR_LENGTH = 100;

/** For the audit log: `DORMOUSE_OPERATOR`, the user who called `sudo`, or the system's user. */
export function findOperator(env: NodeJS.ProcessEnv): string {
  const [named, caller] = [env.DORMOUSE_OPERATOR, env.SUDO_USER].map((name) => name && cleanName(name));
  return Array.from(named || caller || systemUser())
    .slice(0, MAX_OPERATOR_LENGTH)
    .join("");
}

/** A container may run as a user without a name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

/** Only faults, a line each on stderr; stdout has the answer and nothing else. */
function createCommandLog({ complain }: Terminal): Log {
  const write = (facts: object, event: string) => {
    const { error, ...others } = facts as { error?: unknown };
    const about = Object.entries(others).map(([name, value]) => `${name} ${String(value)}`);
    complain([[event, ...about].join(", "), ...(error === undefined ? [] : [errorText(error)])].join(": "));
  };
  return { info: () => undefined, warn: write, error: write };
}

const noLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
