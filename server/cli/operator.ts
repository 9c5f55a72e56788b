import { userInfo } from "node:os";

const MAX_LENGTH = 100;

/** Who runs the command, for the record: `DORMOUSE_OPERATOR`, or the user that the system knows. */
export function findOperator(env: NodeJS.ProcessEnv): string {
  const named = env.DORMOUSE_OPERATOR?.replaceAll(/[\p{C}\s]+/gu, " ").trim();
  return Array.from(named || systemUser())
    .slice(0, MAX_LENGTH)
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
