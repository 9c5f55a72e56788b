import type { Config } from "../config.ts";
import { findBuildFault } from "./build.ts";
import { ok, wrong, type Finding } from "./finding.ts";

/** What the doctor can see without opening the rooms. */

export function checkBuild(config: Config): Finding {
  const { buildDir, basePath } = config;
  const fault = findBuildFault(config);
  if (fault === "missing") return wrong("build", `There is none in ${buildDir}: run npm run build.`);
  return fault
    ? wrong("build", `It was made for another path than BASE_PATH ${basePath}: run npm run build with it.`)
    : ok("build", `It is in ${buildDir}, for ${basePath}.`);
}
