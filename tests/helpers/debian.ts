import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Installs groups of Debian's packages where we may. One missing group does not stop the others: the caller checks the
 * result.
 */
export function installFromDebian(groups: string[][]): void {
  if (groups.length === 0 || !existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0) return;
  attempt("apt-get", ["update", "-qq"]);
  for (const packages of groups) attempt("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages]);
}

/** It may fail, and may take ten minutes. */
export function attempt(command: string, args: string[]): void {
  console.log(`Getting what the tests need: ${command} ${args.join(" ")} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    execFileSync(command, args, { stdio: "ignore", timeout: 600_000, env });
  } catch {
    // The installed packages are read next.
  }
}
