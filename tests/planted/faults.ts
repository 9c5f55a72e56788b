import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** `faults.yaml` says what each field is. */
export type PlantedFault = { text: string; becomes: string; breaks: string; catcher: string };

export function readFaults(): PlantedFault[] {
  return parse(readFileSync(join(import.meta.dirname, "faults.yaml"), "utf8")) as PlantedFault[];
}

/** All files of the work tree that are not ignored. */
export function listFiles(...folders: string[]): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", ...folders];
  const listed = execFileSync("git", args, { encoding: "utf8" }).split("\n");
  return listed.filter((file) => file !== "" && existsSync(file));
}

/** The sources of the product, by path. */
export function readSources(): Map<string, string> {
  const files = listFiles("app", "server", "public");
  const sources = files.filter((file) => /\.(?:tsx?|css|js|yaml)$/.test(file) && !/\.test\.tsx?$/.test(file));
  return new Map(sources.map((file) => [file, readFileSync(file, "utf8")]));
}

/**
 * The file with a text.
 * @throws {Error} unless the sources have it exactly once.
 */
export function findFile(text: string, sources: Map<string, string>): string {
  const found = [...sources].flatMap(([file, source]) =>
    source
      .split(text)
      .slice(1)
      .map(() => file),
  );
  const [file] = found;
  if (file === undefined || found.length > 1) throw new Error(`The sources have ${found.length} times: ${text}`);
  return file;
}
