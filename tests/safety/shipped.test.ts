import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { startApp } from "../helpers/running-app.ts";

/** Files that leave the app: for browsers, in an image, and the sources. */

/** The files of the repository, without those that `.gitignore` names and git's own. */
const aside = new Set([".git", ...readFileSync(".gitignore", "utf8").replaceAll("/", "").split("\n")]);
const isAside = (name: string) => aside.has(name) || name.startsWith("build-");
const tracked = readdirSync(".")
  .filter((name) => !isAside(name))
  .flatMap((name) => (statSync(name).isDirectory() ? listFiles(name) : [name]));

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** As vendors write keys; those of tests name themselves. */
const secretForms: [name: string, form: RegExp][] = [
  ["a private key", /-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----/],
  ["a live key of Stripe", /\b[rsp]k_live_[A-Za-z0-9]{16,}/],
  ["a test key of Stripe", /\b[rs]k_test_[A-Za-z0-9]{24,}/],
  ["a webhook secret of Stripe", /\bwhsec_[A-Za-z0-9+/]{24,}/],
  ["a token of GoCardless", /\b(?:live|sandbox)_[A-Za-z0-9_-]{36,}/],
  ["a key of a cloud", /\b(?:AKIA[0-9A-Z]{16}|AIza[\w-]{35}|gh[pousr]_[A-Za-z0-9]{36}|xox[abprs]-[\w-]{10,})\b/],
  [
    "a password in an address",
    /\b(?:postgres(?:ql)?|smtps?|https?):\/\/(?!user|\w*…)[^\s:@/"'`$]+:(?!password|secret|canary)[^\s@/"'`$]{6,}@(?!127|\[|[\w.-]*(?:example|host|test)\b)/,
  ],
];

/** A certificate for tests. */
const mayHoldKey = new Set(["tests/fakes/smtp-sink.ts"]);

test("no key, token or password is in the sources or the build", () => {
  const built = ["build/client", "build/server"].flatMap(listFiles);
  const texts = [...tracked, ...built].filter((path) => !/\.(?:webp|mp4|woff2|ico|png|jpg|br|gz|zst)$/.test(path));
  expect(texts.length).toBeGreaterThan(500);
  const found = texts.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    return secretForms
      .filter(([, form]) => form.test(text) && !mayHoldKey.has(path))
      .map(([name]) => `${path}: ${name}`);
  });
  expect(found).toEqual([]);
});

test.each(secretForms)("%s would be found", (name, form) => {
  const samples: Record<string, string> = {
    "a private key": ["-----BEGIN", "PRIVATE KEY-----"].join(" "),
    "a live key of Stripe": ["sk_live", "51HabcdefGHIJKLmnop"].join("_"),
    "a test key of Stripe": ["sk_test", "51HabcdefGHIJKLmnopqrstuv"].join("_"),
    "a webhook secret of Stripe": ["whsec", "a1B2c3D4e5F6g7H8i9J0k1L2"].join("_"),
    "a token of GoCardless": `live_${"a1B2c3D4e5".repeat(4)}`,
    "a key of a cloud": ["AKIA", "ABCDEFGHIJKLMNOP"].join(""),
    "a password in an address": ["postgres://dormouse", "hunter22@db.internal/x"].join(":"),
  };
  expect(samples[name]).toMatch(form);
});

/** As Docker reads `.dockerignore`: the last matching line counts. */
function isInImage(path: string): boolean {
  const lines = readFileSync(".dockerignore", "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  let isIncluded = true;
  for (const line of lines) {
    const pattern = line.replace(/^!/, "");
    const expression = pattern
      .split("**/")
      .map((part) => part.replaceAll(".", "\\.").replaceAll("*", "[^/]*"))
      .join("(?:.*/)?");
    if (new RegExp(`^${expression}(?:/.*)?$`).test(path)) isIncluded = line.startsWith("!");
  }
  return isIncluded;
}

test("the server's build has React's production code, whatever NODE_ENV says", () => {
  const built = listFiles("build/server").map((path) => readFileSync(path, "utf8"));
  expect(built.join("\n").length).toBeGreaterThan(500_000);
  for (const text of built) expect(text).not.toMatch(/\/cjs\/react[a-z.-]*\.development\.js|process\.env\.NODE_ENV/);
});

test("the image has no tests, documents, settings or history", () => {
  const taken = [
    ...tracked,
    ".env",
    ".git/config",
    "data/dormouse.sqlite",
    "node_modules/x/index.js",
    "build/x.js",
  ].filter(isInImage);
  expect(taken.length).toBeGreaterThan(300);
  expect(
    taken.filter((path) =>
      /\.test\.tsx?$|\bREADME\.md$|^(?:tests|docs|\.ci|\.git|\.env|data|node_modules|build)(?:\/|$)/.test(path),
    ),
  ).toEqual([]);
  expect(taken.filter((path) => !/^(?:app|server|public|tools)\//.test(path)).toSorted()).toEqual([
    ".npmrc",
    "package-lock.json",
    "package.json",
    "react-router.config.ts",
    "tsconfig.json",
    "vite.config.ts",
  ]);
});

const unknownBusiness = [
  "/.git/config",
  "/.git/HEAD",
  "/.env",
  "/.env.example",
  "/package.json",
  "/package-lock.json",
  "/server/main.ts",
  "/server/config.ts",
  "/app/root.tsx",
  "/build/server/index.js",
  "/index.js",
  "/assets/",
  "/assets",
  "/.vite/manifest.json",
  "/data/dormouse.sqlite",
  "/dormouse.sqlite",
  "/tests/run.ts",
  "/docs/api.md",
  "/node_modules/react/package.json",
  "/Dockerfile",
  "/..%2fpackage.json",
  "/assets/..%2f..%2fserver%2findex.js",
  "/%2e%2e/%2e%2e/etc/passwd",
  "/..;/package.json",
  "/assets/%00",
  "/debug",
  "/metrics",
  "/__manifest",
  "/@fs/etc/passwd",
  "/@vite/client",
  "/actuator/env",
  "/phpinfo.php",
  "/server-status",
];

test("a running app serves no source, setting, listing, map or word about its making", async () => {
  await using app = await startApp({});
  const browser = app.openBrowser();
  const login = await browser.get("/login");
  const script = /\/assets\/[\w-]+\.js/.exec(login.text)?.[0] ?? "";
  expect((await browser.get(script)).status).toBe(200);
  for (const path of [...unknownBusiness, `${script}.map`]) {
    const answer = await browser.get(path);
    expect([400, 404], path).toContain(answer.status);
    expect(answer.text, path).not.toMatch(
      /"dependencies"|createServices|repositoryformatversion|SESSION_SECRET|root:x:/,
    );
    expect(answer.headers.get("X-Content-Type-Options"), path).toBe("nosniff");
  }
  for (const path of ["/login", "/nowhere", "/healthz", script, "/favicon.svg"]) {
    const { headers, text } = await browser.get(path);
    for (const name of ["Server", "X-Powered-By", "Via", "SourceMap", "X-SourceMap"])
      expect(headers.get(name), path).toBeNull();
    expect(text, path).not.toContain("sourceMappingURL");
  }
  expect(login.text).not.toMatch(/<meta name="generator"|<!-- [A-Za-z]/);
});

test("only an open film listens to messages of its player's window, and certificates are always checked except for mail servers", () => {
  const sources = tracked.filter(
    (path) => /^(?:app|server)\/.*\.(?:tsx?|js)$/.test(path) && !/\.test\.tsx?$/.test(path),
  );
  const uses = (words: RegExp) => sources.filter((path) => words.test(readFileSync(path, "utf8")));
  const listeners = {
    "app/player/frame-time.ts": "if (source !== frame.current?.contentWindow || sender !== origin) return;",
    "app/player/player-watch.tsx":
      "if (source !== element?.contentWindow || origin !== new URL(video.src).origin) return;",
  };
  // The port of a page's own channel gets no message from elsewhere. The server's are of its own threads.
  const listens = /(?<!\bport1\.)addEventListener\(\s*["']message["']|\bonmessage\b|(?<!\bport2)\.postMessage\(/;
  expect(uses(listens).filter((path) => path.startsWith("app/"))).toEqual(Object.keys(listeners));
  for (const [path, check] of Object.entries(listeners)) expect(readFileSync(path, "utf8")).toContain(check);
  // An operator may allow it for their own mail server, in its address.
  expect(uses(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/)).toEqual([
    "server/adapters/email/smtp.ts",
  ]);
  expect(uses(/\beval\(|new Function\(|innerHTML\s*=|document\.write/)).toEqual([]);
});
