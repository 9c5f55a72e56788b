import { expect, test } from "vitest";

import { itemKinds, sectionNames, sections } from "../../../../server/content/items/kinds.ts";
import { parseView, type View, viewPath } from "./view.ts";

function parse(text: string) {
  return parseView(new URLSearchParams(text));
}

const MAX_COUNT = 999_999_999;

const sleepSearch: View & { name: "search" } = {
  name: "search",
  term: "sleep",
  section: undefined,
  order: "best",
  page: 1,
  isLiteral: false,
  isPastHelp: false,
};

const views: View[] = [
  { name: "landing" },
  ...sectionNames.flatMap((section): View[] => [
    { name: "list", section, page: 1 },
    { name: "list", section, page: 2 },
    { name: "list", section, page: MAX_COUNT },
    Object.assign({}, sleepSearch, { section }),
  ]),
  ...itemKinds.flatMap((kind): View[] => [
    { name: "item", kind, id: 1, isPlaying: false },
    { name: "item", kind, id: MAX_COUNT, isPlaying: true },
  ]),
  sleepSearch,
  { ...sleepSearch, section: "listen", page: 2, isLiteral: true },
  { ...sleepSearch, order: "oldest", page: 3, isPastHelp: true },
  { ...sleepSearch, term: `${"three lines ".repeat(41)}overdose` },
  { ...sleepSearch, section: "learn", order: "newest" },
  { name: "topics" },
  { name: "receipt", number: "DM-2026-000123" },
  ...["a b", "a+b", "a&type=reads", "?#/%", "100%", "café 🌙", "a..b", "<script>", '"', "view=read", "__proto__"].map(
    (term): View => Object.assign({}, sleepSearch, { term, section: "read" }),
  ),
];

test.each(views)("%j is found again at its own address", (view) => {
  const address = new URL(viewPath(view), "http://here.example");
  expect(address.pathname).toBe("/");
  expect(parseView(address.searchParams)).toEqual(view);
});

test("addresses are as short as they can be", () => {
  expect(viewPath({ name: "landing" })).toBe("/");
  expect(viewPath({ name: "list", section: "watch", page: 1 })).toBe("/?view=watch");
  expect(viewPath({ name: "list", section: "read", page: 3 })).toBe("/?view=read&page=3");
  expect(viewPath({ name: "item", kind: "learn", id: 7, isPlaying: false })).toBe("/?view=learn&item=7");
  expect(viewPath({ name: "item", kind: "learn", id: 7, isPlaying: true })).toBe("/?view=learn&item=7&play=1");
  expect(viewPath({ ...sleepSearch, term: "bad dreams" })).toBe("/?q=bad%20dreams");
});

test.each(["", "?", "?unknown=1", "?page=2", "?item=3", "?play=1", "?type=reads"])("%j is the landing", (search) =>
  expect(parse(search)).toEqual({ name: "landing" }),
);

test.each(["?q=", "?q=%20%09%0A", "?q=+++", "?view=read&q="])("%j asks what there is to search for", (text) =>
  expect(parse(text)).toEqual({ name: "topics" }),
);

test.each(["", " ", "Watch", "watch ", "watches", "videos", "0", "__proto__", "constructor", "toString"])(
  "there is no section %j",
  (section) => expect(parseView(new URLSearchParams({ view: section }))).toMatchObject({ name: "bad" }),
);

const noCounts = [
  "abc",
  "",
  " ",
  "0",
  "-1",
  "+1",
  "01",
  "1.5",
  "1.0",
  "1e3",
  "0x1",
  " 1",
  "1 ",
  "1\n",
  "1,2",
  "1_000",
  "Infinity",
  "NaN",
  "null",
  "١",
  "1".repeat(10),
  "9".repeat(20),
];

test.each(noCounts)("an item is not asked for as %j", (item) => {
  expect(parseView(new URLSearchParams({ view: "read", item }))).toMatchObject({ name: "bad" });
});

test.each(noCounts)("there is no page %j of a list", (page) => {
  expect(parseView(new URLSearchParams({ view: "read", page }))).toMatchObject({ name: "bad" });
});

test("what cannot be is said in a sentence for people", () => {
  for (const search of ["?view=nowhere", "?view=read&item=x", "?view=read&page=0"]) {
    expect(parse(search)).toEqual({ name: "bad", sentence: expect.stringMatching(/^[A-Z].*\.$/) });
  }
});

test("an item has one address, with its kind: a recording has none with its section", () => {
  expect(parse("?view=listen&item=3")).toMatchObject({ name: "bad" });
});

test("the first of two equal parameters counts", () => {
  expect(parse("?view=read&view=nowhere")).toEqual({ name: "list", section: "read", page: 1 });
  expect(parse("?view=nowhere&view=read")).toMatchObject({ name: "bad" });
  expect(parse("?view=read&item=1&item=x")).toMatchObject({ name: "item", id: 1 });
  expect(parse("?view=read&item=&item=1")).toMatchObject({ name: "bad" });
  expect(parse("?view=read&page=2&page=3")).toMatchObject({ page: 2 });
  expect(parse("?q=dreams&q=naps")).toMatchObject({ term: "dreams" });
});

test("an item is of no page, and a search is before both", () => {
  expect(parse("?view=read&item=3&page=nonsense")).toMatchObject({ name: "item", id: 3 });
  expect(parse("?q=sleep&view=nowhere&item=x")).toMatchObject({ name: "search", term: "sleep", section: undefined });
});

test("a film plays from a second that the address names", () => {
  expect(parse("?view=watch&item=3&play=1&from=64")).toMatchObject({ isPlaying: true, from: 64 });
  expect(viewPath({ name: "item", kind: "watch", id: 3, isPlaying: true, from: 64 })).toBe(
    "/?view=watch&item=3&play=1&from=64",
  );
  for (const from of ["", "0", "-1", "x", "1e3"])
    expect(parse(`?view=watch&item=3&play=1&from=${from}`)).not.toHaveProperty("from");
});

test("an item plays only when the address says play=1", () => {
  expect(parse("?view=watch&item=3&play=1")).toMatchObject({ isPlaying: true });
  for (const play of ["", "0", "true", "yes", "11"]) {
    expect(parse(`?view=watch&item=3&play=${play}`)).toMatchObject({ name: "item", isPlaying: false });
  }
});

test("blanks around a term are not part of it", () => {
  expect(parse("?q=%20%20bad%20dreams%0A")).toMatchObject({ name: "search", term: "bad dreams" });
});

test("a sentence is read whole, and of a longer one both ends, as it is in every address of its page", () => {
  const sentence = "z".repeat(500);
  expect(parse(`?q=${sentence}`)).toMatchObject({ name: "search", term: sentence });
  const ends = `${"a".repeat(250)} ${"z".repeat(249)}`;
  expect(parse(`?q=${"a".repeat(4000)}${"z".repeat(4000)}`)).toMatchObject({ name: "search", term: ends });
  expect(parse("?q=%00%E2%80%8B")).toEqual({ name: "topics" });
});

test.each(["best", "", "random", "NEWEST"])("the order %j is best first", (order) =>
  expect(parseView(new URLSearchParams({ q: "sleep", order }))).toMatchObject({ order: "best" }),
);

test.each(["0", "-1", "x"])("a search has no page %j", (page) =>
  expect(parseView(new URLSearchParams({ q: "sleep", page }))).toMatchObject({ name: "bad" }),
);

test.each(sectionNames)("a search for %s has its own word", (section) =>
  expect(parse(`?q=sleep&type=${sections[section].searchType}`)).toMatchObject({ term: "sleep", section }),
);

test.each(["", "watch", "Watches", "reads ", "all", "toString", "__proto__"])(
  "an unknown search type %j searches everything",
  (type) =>
    expect(parseView(new URLSearchParams({ q: "sleep", type }))).toMatchObject({
      name: "search",
      term: "sleep",
      section: undefined,
    }),
);

test.each([
  ["/?view=favourites", { section: undefined, page: 1, item: undefined, isPlaying: false }],
  ["/?view=favourites&kind=read&page=3", { section: "read", page: 3, item: undefined, isPlaying: false }],
  ["/?view=favourites&kind=listen", { section: "listen", page: 1, item: undefined, isPlaying: false }],
  [
    "/?view=favourites&kind=watch&item=12",
    { section: undefined, page: 1, item: { kind: "watch", id: 12 }, isPlaying: false },
  ],
  [
    "/?view=favourites&kind=watch&item=12&play=1",
    { section: undefined, page: 1, item: { kind: "watch", id: 12 }, isPlaying: true },
  ],
])("%s is a part of the favourites, and its own address", (path, view) => {
  const parsed = parseView(new URL(path, "http://here.example").searchParams);
  expect(parsed).toEqual({ name: "favourites", ...view });
  if (parsed.name !== "bad") expect(viewPath(parsed)).toBe(path);
});

test.each([
  "kind=attic",
  "item=12",
  "kind=read&item=abc",
  "kind=read&page=0",
  "kind=read&item=",
  "kind=listen&item=12",
])("there is no part %j of the favourites", (search) =>
  expect(parseView(new URLSearchParams(`view=favourites&${search}`))).toMatchObject({ name: "bad" }),
);

test("a receipt is asked for by its number, before anything else", () => {
  expect(parse("?receipt=DM-2026-000123&view=read&q=sleep")).toEqual({ name: "receipt", number: "DM-2026-000123" });
});

test.each(["", "%20", "../x", "a b", "<b>", "1".repeat(41), "DM_1", "%00"])("there is no receipt %j", (number) =>
  expect(parse(`?receipt=${number}`)).toMatchObject({ name: "bad" }),
);
