import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Config } from "../config.ts";
import { findBuildFault } from "./build.ts";
import { sayError } from "./command-log.ts";
import { note, ok, wrong, type Finding } from "./finding.ts";

/** What the doctor can see without opening the rooms. */

export function checkBuild(config: Config): Finding {
  const { buildDir, basePath } = config;
  const fault = findBuildFault(config);
  if (fault === "missing") return wrong("build", `There is none in ${buildDir}: run npm run build.`);
  return fault
    ? wrong("build", `It was made for another path than BASE_PATH ${basePath}: run npm run build with it.`)
    : ok("build", `It is in ${buildDir}, for ${basePath}.`);
}

export async function checkMailFolder({ mail }: Config): Promise<Finding> {
  const probe = join(mail.folder, `.${randomUUID()}.probe`);
  try {
    await mkdir(mail.folder, { recursive: true });
    await writeFile(probe, "");
    await rm(probe);
    return ok("mail", `Letters become files in ${mail.folder}.`);
  } catch (error) {
    return wrong("mail", `Nothing can be written to ${mail.folder}: ${sayError(error)}. May this user write there?`);
  }
}

export function checkGateways({ cards, debits }: Config): Finding[] {
  return [
    cards.kind === "demo"
      ? ok("cards", "The demo's: they take test cards, and no money.")
      : note("cards", "None are configured, so nobody can pay by card: joining is closed but for codes."),
    debits.kind === "demo"
      ? ok("Direct Debits", "The demo's: they collect from nobody.")
      : note("Direct Debits", "None are configured, so no company can be added."),
  ];
}
