import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * How many imports away a test may be. The wiring imports every module, so further away are all tests: `npm test` is
 * for those.
 */
const DISTANCE = 2;

/** Each change can break the rules of the tree and of the documents. */
const ALWAYS = ["tests/architecture.test.ts", "tests/docs.test.ts"];

const isTest = (file: string) => /\.test\.tsx?$/.test(file) && !file.startsWith("tests/browsers/");

/**
 * The tests that a change can touch: those in its folders, those that import it directly or through one file, and
 * changed journeys. Pages are tested through the build, so a change in `app/` runs the tests of all pages.
 */
export function listTestsOfChange(): { unit: string[]; journeys: string[] } {
  const changed = listChanged();
  const files = listLines("ls-files", "--cached", "--others", "--exclude-standard").filter((file) => existsSync(file));
  const reached = findReached(changed, files);
  const folders = new Set(changed.map((file) => dirname(file)));
  const isBuilt = changed.some((file) => file.startsWith("app/") && !isTest(file));
  const isTouched = (file: string) =>
    reached.has(file) ||
    (file.startsWith("tests/") ? isBuilt && file.startsWith("tests/http/") : folders.has(dirname(file)));
  return {
    unit: [...new Set([...ALWAYS, ...files.filter((file) => isTest(file) && isTouched(file))])],
    journeys: changed.filter((file) => /^tests\/e2e\/.*\.spec\.ts$/.test(file) && existsSync(file)),
  };
}

/** Since this branch left the main one, committed or not. */
function listChanged(): string[] {
  const main = ["origin/main", "main"].find((name) => listLines("branch", "--all", "--list", name).length > 0);
  const [base = "HEAD"] = main ? listLines("merge-base", "HEAD", main) : [];
  return [...listLines("diff", "--name-only", base), ...listLines("ls-files", "--others", "--exclude-standard")];
}

function listLines(...args: string[]): string[] {
  const output = execFileSync("git", args, { encoding: "utf8" });
  return output.split("\n").filter((line) => line !== "");
}

/** The changed files, and those that reach them within `DISTANCE` imports. */
function findReached(changed: string[], files: string[]): Set<string> {
  const importers = new Map<string, string[]>();
  for (const file of files.filter((each) => /\.(?:tsx?|m?js)$/.test(each))) {
    for (const imported of listImports(file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
  }
  const reached = new Set(changed);
  for (let step = 0; step < DISTANCE; step += 1) {
    const found = [...reached].flatMap((file) => importers.get(file) ?? []);
    for (const importer of found) reached.add(importer);
  }
  return reached;
}

function listImports(file: string): string[] {
  const paths = readFileSync(file, "utf8").matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]*|~\/[^"]*)"/g);
  return [...paths].map(([, path = ""]) =>
    path.startsWith("~/") ? join("app", path.slice(2)) : join(dirname(file), path),
  );
}
