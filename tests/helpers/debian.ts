import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Installs groups of Debian's packages where this machine has them and we may. A group that cannot be had does not keep the others away:
 * the caller looks at what is there afterwards.
 */
export function installFromDebian(groups: string[][]): void {
  if (groups.length === 0 || !existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0) return;
  attempt("apt-get", ["update", "-qq"]);
  for (const packages of groups) attempt("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages]);
}

/** Runs a command that may fail, and may take ten minutes. */
export function attempt(command: string, args: string[]): void {
  console.log(`Getting what the tests need: ${command} ${args.join(" ")} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    execFileSync(command, args, { stdio: "ignore", timeout: 600_000, env });
  } catch {
    // The installed packages are read next.
  }
}
