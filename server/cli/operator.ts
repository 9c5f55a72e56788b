import { userInfo } from "node:os";

const MAX_LENGTH = 100;

/** Who runs the command, for the record: `DORMOUSE_OPERATOR`, who called `sudo` for it, or the user that the system knows. */
export function findOperator(env: NodeJS.ProcessEnv): string {
  const [named, caller] = [env.DORMOUSE_OPERATOR, env.SUDO_USER].map((name) =>
    name?.replaceAll(/[\p{C}\s]+/gu, " ").trim(),
  );
  return Array.from(named || caller || systemUser())
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
