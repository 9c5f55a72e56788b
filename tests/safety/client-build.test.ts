import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const CLIENT = "build/client";

const built = readdirSync(CLIENT, { recursive: true, encoding: "utf8", withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(CLIENT, join(entry.parentPath, entry.name)));

test("the browser gets no code of the product and no secret word of it", () => {
  const bundle = built.filter((path) => path.endsWith(".js"));
  expect(bundle.length).toBeGreaterThan(5);
  for (const path of bundle) {
    const text = readFileSync(join(CLIENT, path), "utf8");
    for (const word of [
      '"node:',
      "selectFrom",
      "argon2",
      "kysely",
      "passwordHash",
      "sanitize",
      "SESSION_SECRET",
      "process.env",
    ]) {
      expect(text.includes(word), `${path} holds ${word}`).toBe(false);
    }
  }
});

test("what members' pages load names no route of the back office and no file of it", () => {
  const [list = "", ...others] = built.filter((path) => /routes-\w+\.js$/.test(path));
  expect(others).toEqual([]);
  const routes = readFileSync(join(CLIENT, list), "utf8");
  const whole = readFileSync(join(CLIENT, list.replace("routes-", "manifest-")), "utf8");
  expect(routes).toContain('"routes/login"');
  expect(whole).toContain('"routes/desk"');
  expect(routes).not.toMatch(/desk|company/);
  const files = [...routes.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name = ""]) => name);
  expect(files.length).toBeGreaterThan(20);
  // The one form that members have for a company is that of sign-up.
  for (const name of new Set(files)) {
    if (!/routes-/.test(name)) expect(readFileSync(join(CLIENT, "assets", name), "utf8"), name).not.toMatch(/\bdesk\b/);
  }
});

test("there are no source maps and no files of ours among what is served", () => {
  expect(built.filter((path) => /\.(?:map|tsx?|md|json|env)$/.test(path))).toEqual([]);
});
