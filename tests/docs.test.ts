import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

import { cardGateways, debitGateways } from "../server/adapters/gateways.ts";
import type { Command, Group } from "../server/cli/command.ts";
import { commands } from "../server/cli/run-command.ts";
import { fieldNames } from "../server/content/items/fields.ts";
import { bodyRules } from "../server/platform/http/request-body.ts";
import { parseSettings } from "../server/settings.ts";
import { listDocuments, listSpans, readDocument, readTable } from "./helpers/docs.ts";

const documents = listDocuments().map((path) => ({ path, text: readDocument(path) }));
const operating = documents
  .filter(({ path }) => path.startsWith("docs/operating/"))
  .map(({ text }) => text)
  .join("\n");
const parts = readDocument("docs/parts.md");
const architecture = readDocument("docs/architecture.md");
const spans = documents.flatMap(({ path, text }) => listSpans(text).map((span) => ({ path, span })));

const folders = ["app", "bench", "server", "tests", "public", "docs", "tools", "deploy", ".ci"];
const ownFiles = [
  ...readdirSync(".", { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  ),
];

function matchesAll(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = ""]) => found);
}

/** `*` is any part of a name. */
function isThere(written: string): boolean {
  const escaped = written.replace(/\/$/, "").replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(`(?:^|/)${escaped.replaceAll("*", "[^/]*")}$`);
  return ownFiles.some((path) => pattern.test(path)) || folders.includes(written.replace(/\/$/, ""));
}

test("every file that a document names is there", () => {
  const isOurs = (word: string) =>
    /^[\w.*][\w.*/-]*$/.test(word) &&
    (folders.some((folder) => word.startsWith(`${folder}/`)) || /\w\.(?:tsx?|mjs|css|md)$/.test(word));
  const named = spans.flatMap(({ path, span }) =>
    span
      .split(/[\s:]+/)
      .filter(isOurs)
      .map((word) => ({ path, word })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ word }) => !isThere(word))).toEqual([]);
});

test("a sentence opens with its subject, and not with a clause for one", () => {
  const riddle = /(?<=[.!]\s)((?:Who|Whoever|What|Whatever) [a-z][^.?!]*)[.:]/g;
  expect(documents.flatMap(({ path, text }) => matchesAll(text, riddle).map((found) => `${path}: ${found}`))).toEqual(
    [],
  );
});

test("every link between documents leads to a page, and to a heading that is on it", () => {
  const lost = documents.flatMap(({ path, text }) =>
    matchesAll(text, /\]\(([^)\s]+)\)/g)
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [page = "", anchor] = target.split("#");
        const file = page === "" ? path : normalize(join(dirname(path), page));
        if (!existsSync(file)) return true;
        return anchor !== undefined && !listAnchors(readDocument(file)).includes(anchor);
      })
      .map((target) => `${path}: ${target}`),
  );
  expect(lost).toEqual([]);
});

const sources = ownFiles.filter((path) => /^(?:app|server|tests|bench|tools|public)\/.*\.(?:[jt]sx?|css)$/.test(path));

test("comments cite docs/behaviour.md by its sections, and no text that is not in the repository", () => {
  const sections = matchesAll(readDocument("docs/behaviour.md"), /^## (.+)$/gm);
  const texts = sources.map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const cited = texts.flatMap(({ path, text }) =>
    matchesAll(text, /docs\/behaviour\.md,[\s*]+([A-Z][\w -]*)/g).map((name) => ({ path, name })),
  );
  expect(cited.length).toBeGreaterThan(40);
  const unknown = cited.filter(({ name }) => !sections.some((section) => `${name} `.startsWith(`${section} `)));
  expect(unknown).toEqual([]);
  // Written in two parts, so that this file does not cite one.
  const foreign = new RegExp(String.raw`\b(?:spec|specification|de${"sign"}),? section|\bthe sp${"ec"}\b`, "i");
  expect(texts.filter(({ text }) => foreign.test(text)).map(({ path }) => path)).toEqual([]);
});

function listAnchors(text: string): string[] {
  return matchesAll(text, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("architecture.md describes every top folder, every part of app and every module", () => {
  const listFolders = (path: string) =>
    readdirSync(path).filter((name) => statSync(join(path, name)).isDirectory() && name !== "bundled");
  const areas = ["platform", "content", "members", "money", "operations"].map((name) => `server/${name}`);
  // `folder/`: what it is, and the folders in it, each a word in backticks.
  const written = [...architecture.matchAll(/^- `([\w./-]+)\/`: ((?:.+\n(?=  ))*.+)/gm)].map(
    ([, folder = "", text = ""]) => [folder, matchesAll(text, /`([a-z-]+)`/g).toSorted()] as const,
  );
  const inner = new Set(["app", "server", ...areas]);
  const wanted = [...folders, ...areas].map(
    (path) =>
      [
        path,
        inner.has(path)
          ? listFolders(path)
              .filter((name) => !areas.includes(`${path}/${name}`))
              .toSorted()
          : [],
      ] as const,
  );
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(wanted));
});

/** The product's, and those of the gateways. */
const settings = [
  ...matchesAll(readFileSync("server/settings.ts", "utf8"), /^ {2}([A-Z][A-Z_]+):/gm),
  ...[...cardGateways, ...debitGateways].flatMap((gateway) => Object.keys(gateway.settings)),
];
const example = readDocument(".env.example");

test(".env.example has every setting that is read, and no other", () => {
  // Only commands read it.
  const read = [...settings, "DORMOUSE_OPERATOR"];
  expect(matchesAll(example, /^(?:# )?([A-Z][A-Z_]+)=/gm).toSorted()).toEqual(read.toSorted());
});

test("what .env.example gives is the default, wherever there is one", () => {
  const pairs = [...example.matchAll(/^([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name = "", value]) => [name, value]);
  const filled = parseSettings(Object.fromEntries(pairs));
  const bare = parseSettings({});
  const defaults = Object.entries(bare.set).filter(([, value]) => value !== undefined && value !== "");
  expect(defaults.length).toBeGreaterThan(8);
  expect(filled.set).toMatchObject(Object.fromEntries(defaults));
  expect(filled.mistakes).toEqual(["SESSION_SECRET is missing: give it 32 random characters or more"]);
});

test("every setting that a document names exists", () => {
  const ofCompose = matchesAll(readFileSync("compose.yaml", "utf8"), /\$\{([A-Z_]+):[-?]/g);
  const others = ["DORMOUSE_OPERATOR", "DORMOUSE_SECRET", "NODE_ENV", "NODE_EXTRA_CA_CERTS", ...ofCompose];
  const named = spans.flatMap(({ path, span }) =>
    matchesAll(span, /^([A-Z]+(?:_[A-Z]+)+)(?:=|$)/g).map((name) => ({ path, name })),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ name }) => ![...settings, ...others].includes(name))).toEqual([]);
});

test("what must be set in production is what the documents say", () => {
  const missing = parseSettings({}).mistakes.map((mistake) => mistake.split(" ")[0] ?? "");
  const written = /Required: (.*?)\.\s/s.exec(operating)?.[1] ?? "";
  expect(listSpans(written).toSorted()).toEqual(missing.toSorted());
});

const allCommands = Object.entries(commands).flatMap(([name, found]: [string, Command | Group]) =>
  "commands" in found
    ? Object.entries({ ...found.commands, ...(found.alone && { "": found.alone }) }).map(([sub, command]) => ({
        path: `${name} ${sub}`.trimEnd(),
        command,
      }))
    : [{ path: name, command: found }],
);

test("every command that a document names exists, with the options that it names", () => {
  const groups = Object.entries(commands).flatMap(([name, found]) => ("commands" in found ? [name] : []));
  const call = new RegExp(`^(?:dormouse |.*server/cli/main\\.ts |.*dormouse -- )?((?:${groups.join("|")}) [a-z-]+)`);
  const blocks = documents.flatMap(({ path, text }) =>
    matchesAll(text, /^ *```(?:sh)?\n([\s\S]*?)^ *```$/gm).flatMap((block) =>
      block.split("\n").map((line) => ({ path, span: line.split("#")[0]?.trim() ?? "" })),
    ),
  );
  const called = [...spans, ...blocks].filter(({ span }) => call.test(span));
  expect(called.length).toBeGreaterThan(60);
  const strange = called.filter(({ span }) => {
    const found = allCommands.find(({ path }) => path === call.exec(span)?.[1]);
    const options = Object.keys({ ...found?.command.options, json: "", help: "" });
    const given = matchesAll(span.replace(call, ""), / \[?--([a-z-]+)/g);
    return !found || given.some((option) => !options.includes(option));
  });
  expect(strange).toEqual([]);
});

test("the pages for operators have every job", () => {
  const written = matchesAll(operating, /^- `([a-z-]+)`: /gm);
  expect(written).toEqual(matchesAll(readFileSync("server/job-list.ts", "utf8"), /^ {4}"([a-z-]+)": \{/gm));
});

test("the documents ask to set up at Stripe and in WordPress what the adapters read", () => {
  const stripe = readFileSync("server/adapters/stripe/events.ts", "utf8");
  const types = /EVENT_TYPES = \[([^\]]+)\]/.exec(stripe)?.[1] ?? "";
  const ticked = matchesAll(parts, /((?:payment_intent|checkout\.session|refund|charge\.dispute)\.[a-z_]+)/g);
  expect(ticked.toSorted()).toEqual(matchesAll(types, /"([^"]+)"/g).toSorted());
  const version = /ApiVersion = '([^']+)'/.exec(readFileSync("node_modules/stripe/cjs/apiVersion.js", "utf8"))?.[1];
  expect(parts).toContain(`API version \`${version}\``);

  const fields = matchesAll(parts, /^- `([a-z_\d]+)`: /gm);
  expect(fields.toSorted()).toEqual(fieldNames.toSorted());
});

type Package = Record<"dependencies" | "devDependencies" | "optionalDependencies" | "scripts", Record<string, string>>;
const own = JSON.parse(readFileSync("package.json", "utf8")) as Package;

test("the README gives the purpose of every dependency", () => {
  const written = readTable(readDocument("README.md"), "package").flatMap(([names = ""]) => names.split(", "));
  const wanted = { ...own.dependencies, ...own.devDependencies, ...own.optionalDependencies };
  expect(written.toSorted()).toEqual(Object.keys(wanted).toSorted());
});

test("npm, the image and the pages for operators start the server in the same way", () => {
  const [, malloc = "", flags = ""] = /^(MALLOC.*) node (.*)\n$/.exec(readDocument("deploy/node-flags")) ?? [];
  const start = "env $(cat deploy/node-flags)";
  expect(own.scripts).toMatchObject({
    start: `${start} server/start.js`,
    demo: `DEMO=true ${start} server/cli/main.ts demo`,
  });
  const dockerfile = readDocument("Dockerfile");
  expect(dockerfile).toContain(`ENV ${malloc}\n`);
  expect(dockerfile).toContain(
    JSON.stringify(["node_modules/.bin/node", ...flags.split(" "), "server/start.js"]).replaceAll(",", ", "),
  );
  expect(matchesAll(operating, /(\$\(cat deploy\/node-flags\) .*)/g)).toEqual([
    "$(cat deploy/node-flags) --env-file=.env server/start.js",
    "$(cat deploy/node-flags) server/start.js'",
  ]);
});

test("the pages for operators run everything that touches data as the service's user", () => {
  const calls = matchesAll(operating, /((?:sudo -u dormouse )?(?:env PATH=.*|\S+bin\/node [^\n]*)--env-file=\.env )/g);
  expect(calls).toHaveLength(3);
  expect(calls.filter((call) => !call.startsWith("sudo -u dormouse "))).toEqual([]);
  expect(operating).toContain("chgrp dormouse .env && chmod 640 .env");
  expect(operating).toMatch(/^ *User=dormouse$/m);
});

test("architecture.md says how large a body may be, and the pages for operators name each folder of content", () => {
  const { form, events, picture } = bodyRules;
  const [kibibytes, mebibytes, most] = [
    form.maxBytes / 1024,
    events.maxBytes / 1024 ** 2,
    picture.maxBytes / 1024 ** 2,
  ];
  const sizes = `${kibibytes} KiB (${mebibytes} MiB for webhook events, ${most} MiB where a picture`;
  expect(architecture).toContain(sizes);
  const folderNames = matchesAll(readFileSync("server/adapters/adapters.ts", "utf8"), /join\(dataDir, "([\w-]+)"\)/g);
  expect(folderNames).toHaveLength(2);
  for (const folder of folderNames) expect(listSpans(operating)).toContain(folder);
});

test("every script of npm's that a document names is there", () => {
  const named = documents.flatMap(({ text }) => matchesAll(text, /npm run (?:--silent )?([a-z][\w:]*)/g));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => own.scripts[name] === undefined)).toEqual([]);
});
