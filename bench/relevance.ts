import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { ensureBuild } from "../server/cli/build.ts";
import { topics } from "../server/content/search/topics.ts";
import { openBrowser } from "./browser-visits.ts";
import { NOTHING, type Question, type QuestionFile, QuestionsError, readQuestions } from "./questions.ts";
import { alignTable } from "./report.ts";
import { logIn } from "./requests.ts";
import { type Found, visitSearch } from "./search-visit.ts";
import { startFlags, startServer } from "./servers.ts";
import type { App } from "./stage.ts";
import { findLostTopics, typeBeginnings } from "./suggestion-visits.ts";

/**
 * Tests whether people find what a librarian would give them (docs/relevance.md): searches in a demo as a member
 * without script, and types into its box with script.
 */
const USAGE = "node bench/relevance.ts [FILE.json …] [--least PER CENT]";
const OWN_FILE = "bench/questions.json";

// The demo is killed when this process exits, so it does not outlive a stopped bench.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

try {
  const { files, least } = readArguments();
  const { isEnough } = await measureAll(files, least);
  if (!isEnough) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof QuestionsError)) throw error;
  console.error(`${error.message}\n${USAGE}`);
  process.exitCode = 2;
}

type NamedFile = QuestionFile & { path: string };

/** @throws {QuestionsError} for wrong arguments. */
function readArguments(): { files: NamedFile[]; least: number } {
  const { positionals, values } = parse();
  const least = values.least ?? "0";
  if (!/^\d{1,2}$|^100$/.test(least)) throw new QuestionsError("--least takes a whole number from 0 to 100");
  const files = [OWN_FILE, ...positionals].map((path) => Object.assign({ path }, readQuestions(path)));
  return { files, least: Number(least) };
}

function parse() {
  try {
    return parseArgs({ allowPositionals: true, options: { least: { type: "string" } } });
  } catch (error) {
    throw new QuestionsError((error as Error).message, { cause: error });
  }
}

/** `isEnough`: each file has at least so many per cent of its answers among the first three. */
async function measureAll(files: NamedFile[], least: number): Promise<{ isEnough: boolean }> {
  await using opening = new AsyncDisposableStack();
  const app = await openDemo(opening);
  let isEnough = true;
  for (const { path, queries } of files) {
    const answers: Answer[] = [];
    for (const question of queries) answers.push(judge(question, await visitSearch(app, question.query)));
    console.log(`${path}\n\n${reportAnswers(answers)}\n`);
    const reached = toPercent(answers.filter(isAnswerable), ({ place }) => place <= 3);
    if (reached < least) {
      console.log(`Fewer than ${least} % are among the first three: ${reached.toFixed(1)} %\n`);
      isEnough = false;
    }
  }
  console.log(await reportTopics(app));
  console.log(await reportBeginnings(app, files));
  return { isEnough };
}

/** The built demo with its library, over a temporary database. */
async function openDemo(opening: AsyncDisposableStack): Promise<App> {
  const buildDir = resolve(process.env.BUILD_DIR || "build");
  ensureBuild({ buildDir, basePath: "/" });
  const folder = await mkdtemp(join(tmpdir(), "dormouse-relevance-"));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const env = { BUILD_DIR: buildDir, DATA_DIR: folder, BASE_PATH: "/", TRUST_PROXY: "loopback" };
  const server = opening.use(await startServer([...startFlags, "server/cli/main.ts", "demo"], { env }));
  return { server, cookie: await logIn(server) };
}

/** The places of the first accepted item, from 1; `Infinity` without one. */
type Answer = Question & {
  found: Found;
  /** In the lists of all tabs, the opened one first. */
  place: number;
  /** In the list of its own tab. */
  placeInTab: number;
  /** On the page as it opens, where three steps of a guide may precede the results. */
  placeOnPage: number;
};

function judge(question: Question, found: Found): Answer {
  const lists = [...found.lists.values()];
  const placeIn = (ids: number[]) => {
    const index = ids.findIndex((id) => question.accept.includes(id));
    return index === -1 ? Infinity : index + 1;
  };
  return {
    ...question,
    found,
    place: placeIn(lists.flat()),
    placeInTab: Math.min(Infinity, ...lists.map(placeIn)),
    placeOnPage: placeIn([...found.guide.slice(0, 3), ...(found.lists.get(found.opened) ?? [])]),
  };
}

function isAnswerable({ class: group }: Answer): boolean {
  return group !== NOTHING;
}

function toPercent(answers: Answer[], isRight: (answer: Answer) => boolean): number {
  return (100 * answers.filter(isRight).length) / answers.length;
}

function reportAnswers(all: Answer[]): string {
  const answers = all.filter(isAnswerable);
  const rest = all.filter((answer) => !isAnswerable(answer));
  const hits = rest.filter(({ found }) => found.total > 0);
  const helpless = rest.filter(({ found }) => found.total === 0 && found.topicCount === 0);
  const misses = answers.filter(({ place }) => place > 3);
  const classes = [...new Set(answers.map(({ class: group }) => group))];
  return [
    alignTable([
      ["class", "questions", "@1", "@3", "@10", "any tab @3", "page @3", "no results"],
      ...classes.map((name) =>
        toCells(
          name,
          answers.filter(({ class: group }) => group === name),
        ),
      ),
      toCells("all", answers),
    ]),
    listing(`Not among the first three: ${misses.length}`, misses.map(missText)),
    listing(
      `Hits for what the library has nothing on: ${hits.length} of ${rest.length}`,
      hits.map((answer) => `${missText(answer)}; ${answer.found.isNear ? "called near" : "NOT CALLED NEAR"}`),
    ),
    ...(helpless.length > 0
      ? [
          listing(
            `No results and no topics to try: ${helpless.length}`,
            helpless.map(({ query }) => `"${query}"`),
          ),
        ]
      : []),
  ].join("\n\n");
}

function toCells(name: string, answers: Answer[]): string[] {
  const share = (isRight: (answer: Answer) => boolean) => toPercent(answers, isRight).toFixed(0);
  return [
    name,
    String(answers.length),
    share(({ place }) => place <= 1),
    share(({ place }) => place <= 3),
    share(({ place }) => place <= 10),
    share(({ placeInTab }) => placeInTab <= 3),
    share(({ placeOnPage }) => placeOnPage <= 3),
    String(answers.filter(({ found }) => found.total === 0).length),
  ];
}

function missText({ query, class: group, accept, place, placeInTab, found }: Answer): string {
  const where = place === Infinity ? "" : `place ${place}, ${placeInTab} in its tab; `;
  const first = [...found.lists.values()].flat().slice(0, 5).join(" ");
  const accepted = accept.length > 0 ? `; accepted ${accept.join(" ")}` : "";
  return `"${query}" (${group}): ${where}${found.total} found${first && `, first ${first}`}${accepted}`;
}

async function reportTopics(app: App): Promise<string> {
  const { lost, unjudged, empty } = await findLostTopics(app);
  const [besides, wrong] = [true, false].map((isMeantThere) =>
    lost
      .filter((each) => each.isMeantThere === isMeantThere)
      .map(
        ({ topic, opened, meant }) =>
          `"${topic}" opens on ${opened}; ${meant.join(", ") || "what it means is not found"}`,
      ),
  );
  return [
    `${topics.length} topics are suggested; ${unjudged.length} of them are in no title and are no item's topic`,
    listing(`Topics without results: ${empty.length}`, empty),
    listing(`Topics that open on a tab where nothing means them: ${wrong?.length}`, wrong ?? []),
    listing(`Topics that are meant more on another tab: ${besides?.length}`, besides ?? []),
  ].join("\n\n");
}

async function reportBeginnings(app: App, files: NamedFile[]): Promise<string> {
  await using browser = await openBrowser();
  const offered = await typeBeginnings(
    browser,
    app,
    files.flatMap(({ beginnings }) => beginnings),
  );
  const useless = offered.filter(({ isUseful }) => !isUseful);
  return listing(
    `\nBeginnings with a useful suggestion among the first five: ${offered.length - useless.length} of ${offered.length}`,
    useless.map(({ typed, first }) => `"${typed}" gets ${first.join(", ") || "none"}`),
  );
}

function listing(heading: string, lines: string[]): string {
  return [heading, ...lines.map((line) => `- ${line}`)].join("\n");
}
