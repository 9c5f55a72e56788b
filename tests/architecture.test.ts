import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

/**
 * The import rules of docs/architecture.md. Values are checked unless a rule says otherwise; a type carries no code.
 */
type Import = { from: string; to: string; isType: boolean };

const root = resolve(import.meta.dirname, "..");
const files = ["app", "bench", "server", "tests", "tools"]
  .flatMap(listFiles)
  .filter((path) => /\.(?:tsx?|js)$/.test(path));
const imports = files.flatMap(listImports);
const sources = imports.filter(({ from }) => !/\.test\.tsx?$/.test(from));

const isForTests = (path: string) => /^(?:bench|tests)\//.test(path);

function listFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("node_modules/")) // The bench installs Lighthouse beside itself.
    .map((name) => join(folder, name))
    .filter((path) => statSync(join(root, path)).isFile());
}

function listImports(from: string): Import[] {
  const text = readFileSync(join(root, from), "utf8");
  const statements = [
    ...text.matchAll(/^(?:import|export)\s+(type\s)?[^"';]*?from\s+"([^"]+)"|^import\s+()"([^"]+)"/gm),
  ];
  const dynamic = [...text.matchAll(/[^.\w]import\(\s*"([^"]+)"/g)].map(([, to = ""]) => ({
    from,
    to: locate(from, to),
    isType: false,
  }));
  return [
    ...statements.map(([statement, type, to, , bare]) => ({
      from,
      to: locate(from, to ?? bare ?? ""),
      isType: type !== undefined || /\{\s*(?:type \w+(?: as \w+)?\s*,?\s*)+\}\s*from/.test(statement),
    })),
    ...dynamic,
  ];
}

/** A file by its path in the repository, a package by its name. */
function locate(from: string, to: string): string {
  if (to.startsWith("~/")) return join("app", to.slice(2));
  return to.startsWith(".") ? relative(root, resolve(root, dirname(from), to)) : to;
}

function breaches(isBreach: (edge: Import) => boolean): string[] {
  return sources.filter(isBreach).map(({ from, to }) => `${from} → ${to}`);
}

const areas = ["platform", "content", "members", "money", "operations"];
const ends = new Set(["provider", "adapters", "cli"]);

const toArea = (path: string): string => /^server\/([\w-]+)\//.exec(path)?.[1] ?? "";

/** A folder of an area, or one behind the areas; "" for a file beside them. */
function toModule(path: string): string {
  const [, area = "", inner = ""] = /^server\/([\w-]+)\/(?:([\w-]+)\/)?/.exec(path) ?? [];
  return areas.includes(area) ? inner : area;
}

test("the reader of imports finds them", () => {
  expect(imports.length).toBeGreaterThan(200);
  expect(sources).toContainEqual({ from: "app/frame/handler.ts", to: "server/services.ts", isType: true });
  expect(sources).toContainEqual({
    from: "server/services.ts",
    to: "server/members/accounts/accounts.ts",
    isType: false,
  });
});

/** Whether a browser could load a file: neither it nor what it imports needs Node, or a package but Zod. */
function isPure(path: string): boolean {
  const text = readFileSync(join(root, path), "utf8");
  const needsNode = /\b(?:process|Buffer)\./.test(text);
  const needed = imports.filter(({ from, isType }) => from === path && !isType);
  return !needsNode && needed.every(({ to }) => to === "zod" || (to.startsWith("server/") && isPure(to)));
}

test("app imports types from server, and values only of pure files", () => {
  expect(isPure("server/refusals.ts")).toBe(true);
  expect(isPure("server/members/accounts/members.ts")).toBe(false);
  // Commands and the desk share acts and checks, which need Node. So only the screens' loaders and `.server` modules
  // import them, which the framework leaves out of a page's script.
  const isOfDesk = (from: string, to: string) =>
    /^app\/routes\/desk\/(?:.+\.server\.ts|screens\/.+|layout\.tsx|list-file\.ts)$/.test(from) &&
    /^server\/operations\/(?:acts|desk)\//.test(to);
  // So do the API's shapes and addresses, which no page's script has.
  const isOfApi = (from: string, to: string) =>
    (to === "server/provider/wire.ts" && from.startsWith("app/routes/api/")) ||
    (to === "server/platform/email-address.ts" && /^app\/routes\/(?:api|desk\/screens)\//.test(from));
  expect(
    breaches(
      ({ from, to, isType }) =>
        from.startsWith("app/") &&
        to.startsWith("server/") &&
        !isType &&
        !isPure(to) &&
        !isOfDesk(from, to) &&
        !isOfApi(from, to),
    ),
  ).toEqual([]);
});

test("the core of the player has no React, and a page without React is bundled from it", () => {
  const isAllowed = (to: string) => /^(?:app\/player\/core|server)\//.test(to) || to === "app/frame/paths.ts";
  expect(breaches(({ from, to }) => from.startsWith("app/player/core/") && !isAllowed(to))).toEqual([]);
});

test("each test that runs on several engines runs on PostgreSQL too", () => {
  const onEngines = imports.filter(
    ({ from, to }) => from.startsWith("server/") && from.endsWith(".test.ts") && to === "tests/helpers/databases.ts",
  );
  const chosen = onEngines.filter(({ from }) =>
    /import \{[^}]*\bengines\b/.test(readFileSync(join(root, from), "utf8")),
  );
  const onPostgres = imports.filter(({ from }) => from.startsWith("tests/postgres/")).map(({ to }) => to);
  expect(onPostgres.toSorted()).toEqual(chosen.map(({ from }) => from).toSorted());
});

test("tests beside the sources need no build: they open no site", () => {
  const opened = /\b(?:openSite|openProvider|openRemoteApp|openRemoteSite|openFrontSite)\b/;
  const beside = files.filter((path) => /^(?:app|server)\/.+\.test\.tsx?$/.test(path));
  expect(beside.filter((path) => opened.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
});

test("an area imports from the areas before it, types included", () => {
  // The kinds of items are a table of the content, and a column of the database.
  const isKind = (from: string, to: string) => /\/database\/tables\/members.ts$/.test(from) && /\/kinds.ts$/.test(to);
  const isBefore = (area: string, other: string) => !ends.has(other) && areas.indexOf(other) <= areas.indexOf(area);
  expect(
    breaches(({ from, to }) => {
      const [area, other] = [toArea(from), toArea(to)];
      if (!areas.includes(area) || other === "" || isBefore(area, other)) return false;
      return !isKind(from, to);
    }),
  ).toEqual([]);
});

test("no two modules use each other, types included", () => {
  const toName = (path: string) => (areas.includes(toArea(path)) ? `${toArea(path)}/${toModule(path)}` : "");
  const uses = new Set(
    sources
      .map(({ from, to }) => [toName(from), toName(to)] as const)
      .filter(([user, used]) => user !== used && !`${user}/${used}/`.includes("//"))
      .map(([user, used]) => `${user} → ${used}`),
  );
  const mutual = [...uses].filter((use) => uses.has(use.split(" → ").toReversed().join(" → ")));
  expect(uses.size).toBeGreaterThan(50);
  expect(mutual).toEqual([]);
});

test("server imports nothing from app", () => {
  expect(
    breaches(
      ({ from, to }) => from.startsWith("server/") && /^(?:app\/|react|@react-router|@conform-to|tests\/)/.test(to),
    ),
  ).toEqual([]);
});

test("only server/platform/http and app name Request and Response", () => {
  const speakers = files.filter(
    (path) =>
      path.startsWith("server/") &&
      !path.startsWith("server/platform/http/") &&
      !path.endsWith(".test.ts") &&
      /\b(?:new (?:Request|Response|Headers)\b|IncomingMessage|node:http)/.test(readFileSync(join(root, path), "utf8")),
  );
  expect(speakers).toEqual([]);
});

test("adapters are chosen in one place", () => {
  const isAdapter = (path: string) => path.startsWith("server/adapters/");
  // The demo's past is also written into the demo gateway.
  const places = new Set(["server/services.ts", "server/cli/demo-history.ts"]);
  const mayChoose = (path: string) => places.has(path) || isAdapter(path) || isForTests(path);
  // The list of gateways has their settings too, and no client of theirs.
  const readers = new Set(["server/settings.ts", "server/config.ts"]);
  const isRead = (from: string, to: string) => to === "server/adapters/gateways.ts" && readers.has(from);
  expect(breaches(({ from, to }) => isAdapter(to) && !mayChoose(from) && !isRead(from, to))).toEqual([]);
});

test("whether a provider keeps accounts and content is known only where services are put together", () => {
  const isClient = (path: string) => path.startsWith("server/provider/client/");
  const isDoorstep = (path: string) => /^server\/(?:provider\/provider|adapters\/provider\/)|^tests\//.test(path);
  const together = new Set(["server/services.ts", "server/adapters/adapters.ts"]);
  const mayAsk = (path: string) => together.has(path) || isClient(path) || isDoorstep(path);
  const isProvider = (path: string) => isClient(path) || /^server\/provider\/provider[\w-]*\.ts$/.test(path);
  expect(breaches(({ from, to }) => isProvider(to) && !mayAsk(from))).toEqual([]);

  const speaks = /\bAPI_URL\b|\bconfig\.provider\b|\{ provider, .*: Config\b/;
  const speakers = files.filter((path) => !isForTests(path) && !path.endsWith(".test.ts") && !isClient(path));
  const known = speakers.filter((path) => speaks.test(readFileSync(join(root, path), "utf8")));
  // Settings, the one composition root, a demo that fills in no members of its own, and a sentence for operators.
  expect(known.toSorted()).toEqual([
    "server/cli/demo.ts",
    "server/config.ts",
    "server/provider/provider.ts",
    "server/settings.ts",
  ]);
});

test("services are put together in one place", () => {
  const outside = ["server/services.ts", "server/main.ts", "server/cli/", "tests/", "bench/"];
  expect(
    breaches(
      ({ from, to, isType }) =>
        to === "server/services.ts" && !isType && !outside.some((each) => from.startsWith(each)),
    ),
  ).toEqual([]);
});

test("a module names no vendor", () => {
  const vendors = /^(?:stripe|@stripe|gocardless|nodemailer|pg$)/;
  const doorsteps = new Set(["adapters", "database"]);
  expect(
    breaches(({ from, to }) => from.startsWith("server/") && vendors.test(to) && !doorsteps.has(toModule(from))),
  ).toEqual([]);
});

test("plans are listed in one file", () => {
  // A row of their types or months; `plans.ts` has a line for each.
  const isList = (line: string) =>
    /plan/i.test(line) && /\b1\b.*\b[23]\b.*\b(?:3|12)\b/.test(line) && !/^\s*(?:\/\*|\*|\/\/)/.test(line);
  const listing = files.filter(
    (path) =>
      /^(?:app|server)\/(?!platform\/database\/migrations\/)/.test(path) &&
      !path.endsWith(".test.ts") &&
      readFileSync(join(root, path), "utf8").split("\n").some(isList),
  );
  expect(listing).toEqual([]);
});

test("kinds of items are listed in one file", () => {
  // A row of their names in code or text, or a sum over them. Figures that an employer never sees are no list of kinds.
  const isList = (line: string) =>
    /\bwatch\b\W{1,6}\b(?:read|learn)\b(?!, search)|\.watch\b.*\.(?:read|learn)\b/.test(line) &&
    !/^\s*(?:\/\*|\*|\/\/)/.test(line);
  const listing = files.filter(
    (path) =>
      /^(?:app|server|public)\/(?!platform\/database\/migrations\/|content\/items\/kinds)/.test(path) &&
      !path.endsWith(".test.ts") &&
      readFileSync(join(root, path), "utf8").split("\n").some(isList),
  );
  expect(listing).toEqual([]);
});

test("each table is asked by one module", () => {
  const owners: Record<string, string> = {
    members: "accounts",
    memberSearch: "accounts",
    broughtMembers: "moving",
    memberFiles: "moving",
    memberFileReports: "moving",
    avatars: "avatars",
    subscriptions: "membership",
    sessions: "sessions",
    providerTokens: "provider",
    providerSignUps: "provider",
    providerPayments: "provider",
    rateLimits: "rate-limit",
    favourites: "favourites",
    positions: "positions",
    positionSettings: "positions",
    nights: "positions",
    newsletters: "newsletter",
    notes: "notes",
    emails: "email",
    challenges: "challenges",
    codes: "companies",
    seats: "companies",
    companies: "companies",
    collections: "companies",
    companyContacts: "companies",
    contactSessions: "companies",
    companyMonths: "companies",
    drafts: "sign-up",
    orders: "payments",
    payments: "payments",
    disputes: "payments",
    partRefunds: "payments",
    gifts: "gifts",
    webhookEvents: "webhooks",
    webhookCursors: "webhooks",
    audit: "audit",
    operators: "operators",
    operatorSessions: "operators",
    operatorRecoveryCodes: "operators",
    operatorPasskeys: "passkeys",
    passkeys: "passkeys",
    jobLeases: "jobs",
    jobRuns: "jobs",
    dailyCounts: "figures",
    emptySearches: "figures",
    demoObjects: "adapters",
    demoWebhookEvents: "adapters",
  };
  const strangers: string[] = [];
  // The demo's past is rows alone: no module can act a year ago. The mark of a demo's database is beside the demo's
  // objects.
  const unasked = new Set(["server/cli/demo-history.ts", "server/platform/database/demo-mark.ts"]);
  const isAsked = (path: string) => path.startsWith("server/") && !unasked.has(path);
  for (const path of files.filter((each) => isAsked(each) && !each.endsWith(".test.ts"))) {
    const text = readFileSync(join(root, path), "utf8");
    for (const [, table = ""] of text.matchAll(/\.(?:selectFrom|insertInto|updateTable|deleteFrom)\("(\w+)"/g)) {
      if (owners[table] === undefined) strangers.push(`${path} asks ${table}, which no module owns`);
      else if (toModule(path) !== owners[table] && path !== "server/services.ts")
        strangers.push(`${path} asks ${table}`);
    }
  }
  expect(strangers).toEqual([]);
});

function findCircles(among: Import[]): string[] {
  const edges = new Map<string, string[]>();
  for (const { from, to } of among) edges.set(from, [...(edges.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (done.has(file) || path.includes(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return circles;
}

test("no imports go in a circle", () => {
  expect(findCircles(sources.filter(({ isType }) => !isType))).toEqual([]);
});

test("in the product no imports of types go in a circle either", () => {
  expect(findCircles(sources.filter(({ from }) => /^(?:app|server)\//.test(from)))).toEqual([]);
});

test("the environment is read where the rules say, and the clock where time is made", () => {
  const allowed = {
    "process.env": [
      "server/config.ts",
      "server/main.ts",
      "server/start.js",
      "server/cli/",
      "tools/",
      "app/frame/middleware/services.ts",
    ],
    // A browser has no clock of ours.
    "Date.now()": ["app/player/"],
    passwordCost: ["server/members/accounts/passwords.ts"],
    "new Date()": ["server/platform/clock.ts", "server/platform/database/migrate.ts", "server/cli/"],
  };
  for (const [words, places] of Object.entries(allowed)) {
    const strangers = files.filter(
      (path) =>
        !isForTests(path) &&
        !path.includes(".test.") &&
        readFileSync(join(root, path), "utf8").includes(words) &&
        !places.some((each) => path.startsWith(each)),
    );
    expect(strangers, words).toEqual([]);
  }
});

test("a doc comment stands once", () => {
  const places = new Map<string, string[]>();
  for (const path of files.filter((each) => /^(?:app|server)\//.test(each))) {
    for (const [, comment = ""] of readFileSync(join(root, path), "utf8").matchAll(
      /\/\*\*((?:(?!\*\/)[\s\S])*)\*\//g,
    )) {
      const words = comment
        .replace(/^\s*\*/gm, " ")
        .trim()
        .split(/\s+/);
      if (words.length > 8) places.set(words.join(" "), [...(places.get(words.join(" ")) ?? []), path]);
    }
  }
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
});

test("comments open with their subject, and not with a clause for one", () => {
  const opening = /(?:\/\*\*?|\/\/)[\s*]*(?:Who|Whoever|Whose|What|Whatever)\b[^\n]*/g;
  const riddles = files.flatMap((path) =>
    (readFileSync(join(root, path), "utf8").match(opening) ?? []).map((comment) => `${path}: ${comment}`),
  );
  expect(riddles).toEqual([]);
});

/** Words with several meanings, and their replacements. */
const bannedWords = new Map(
  Object.entries({
    asked: "request, query, input or requested",
    wish: "request or input",
    wishes: "requests or inputs",
    standing: "state or status",
    told: "message, details or given",
    say: "…Text, format or print",
    says: "message or description",
    tell: "…Text, format or send",
    kept: "stored, cached or saved, unless a member keeps it on a device",
    notice: "email, webhook event or note",
    throttle: "rate limit",
    house: "the module's own name",
    heart: "favourite",
    of: "read…, to…, find…, list… or get… before the noun",
  }),
);

/** Allowed all the same: pages that a member keeps, and keys of JSON that commands print. */
const allowedNames = new Map<string, string[]>(
  Object.entries({
    keptFor: ["app/routes/member/dashboard.tsx", "app/routes/quiet/kept.tsx", "server/services.ts"],
    KeptLinks: ["app/routes/quiet/kept.tsx"],
    kept: ["app/routes/door/login/email-links.ts", "server/operations/acts/personal-data-acts.ts"],
    isTold: ["server/operations/acts/code-acts.ts"],
    says: ["server/cli/catalogue.ts", "server/cli/doctor.ts"],
    heart: ["app/components/icons.tsx"],
    anyOf: ["server/provider/api-reference.ts"],
    oneOf: ["server/provider/api-reference.ts"],
  }),
);

/** As far as their place shows it: after a keyword, in a list or pattern, before a colon. */
function listNames(path: string): string[] {
  const code = readFileSync(join(root, path), "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, "")
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""');
  const declared = /(?:\b(?:const|let|function\*?|type|class)\s+|[{([,]\s*|^\s*)(\w+)(?=\s*(?:[<=,})?:(]|$))/gm;
  return [...code.matchAll(declared)].map(([, name = ""]) => name);
}

test("no name of the product has a word with several meanings", () => {
  const product = files.filter(
    (path) =>
      // Migrations name tables and columns as they were.
      /^(?:app|server)\/(?!platform\/database\/migrations\/)/.test(path) && !path.includes(".test."),
  );
  const breaks = product.flatMap((path) =>
    [...new Set(listNames(path))].flatMap((name) => {
      if (allowedNames.get(name)?.includes(path)) return [];
      const [last, ...others] = name.split(/(?<=[a-z0-9])(?=[A-Z])|_/).toReversed();
      const words = [last, ...others].map((word = "") => word.toLowerCase());
      // "Of" at the end of a name hides what a function does; within it, it is a preposition.
      const word = words.find(
        (each, index) => bannedWords.has(each) && (each !== "of" || (index === 0 && others.length > 0)),
      );
      return word ? [`${path}: ${name}, better: ${bannedWords.get(word)}`] : [];
    }),
  );
  expect(breaks).toEqual([]);
});

test("no folder is named utils or the like", () => {
  const drawers = files.filter((path) =>
    /(?:^|\/)(?:utils?|lib|common|shared|helpers?|types|constants|index)(?:\/|\.tsx?$)/.test(path),
  );
  expect(drawers.filter((path) => !path.startsWith("tests/helpers/"))).toEqual([]);
});

test("no two style sheets have the same name: vite.config.ts names classes by it", () => {
  const names = listFiles("app")
    .filter((path) => path.endsWith(".module.css"))
    .map((path) => basename(path));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

/** The classes of a sheet and of those that it imports. */
function listClasses(path: string): string[] {
  const css = readFileSync(join(root, path), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const imported = [...css.matchAll(/@import\s+"([^"]+)"/g)].map(([, to = ""]) => join(dirname(path), to));
  const own = [...css.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name);
  return [...own, ...imported.flatMap(listClasses)];
}

test("every class that a component takes from a style sheet is there", () => {
  const taken = files
    .filter((path) => path.startsWith("app/") && path.endsWith(".tsx"))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const sheets = text.matchAll(/^import (\w+) from "(.+\.module\.css)";$/gm);
      return [...sheets].flatMap(([, name = "", to = ""]) => {
        const there = new Set(listClasses(join(dirname(path), to)));
        const names = [...text.matchAll(new RegExp(`(?<![\\w./])${name}\\.(\\w+)`, "g"))].map(([, each = ""]) => each);
        return names.map((each) => ({ path, each: `${name}.${each}`, isThere: there.has(each) }));
      });
    });
  expect(taken.length).toBeGreaterThan(500);
  expect(taken.filter(({ isThere }) => !isThere).map(({ path, each }) => `${path}: ${each}`)).toEqual([]);
});
