import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { openDesk } from "../helpers/desk.ts";
import { openFolder } from "../helpers/folder.ts";
import { readWords } from "../helpers/page.ts";
import { openSite } from "../helpers/site.ts";

test("the desk shows what a member's words are read as, and where each result has them", async () => {
  await using site = await openSite();
  const desk = await openDesk(site);
  const words = readWords((await desk.get("/desk/search?q=jey+lag+xyzzyq")).text);
  expect(words).toContain("Put right to jet lag xyzzyq");
  expect(words).toMatch(/xyzzyq .{0,20}No/);
  expect(words).toMatch(/Jet lag, one day at a time Article Some words jet lag: title, topic/);
});

test("what five members searched for in vain leads to its trial in one step", async () => {
  await using site = await openSite();
  const rows = ["a", "b", "c", "d", "e"].map((searcher) => ({
    month: site.clock().toISOString().slice(0, 7),
    term: "doona",
    searcher,
  }));
  await site.db.insertInto("emptySearches").values(rows).execute();
  const desk = await openDesk(site);
  const figures = (await desk.get("/desk/figures")).text;
  const link = /href="([^"]+)"[^>]*>Add words to an item/.exec(figures)?.[1] ?? "";
  const words = readWords((await desk.get(link.replaceAll("&amp;", "&"))).text);
  expect(words).toContain("5 members or more searched for “doona” in one month and found nothing.");
  expect(words).toContain("Nothing is found. Which item should be?");
  expect(words).toContain("duvet: [doona]");
});

test("words of an operator's file are found by members, and shown at the desk", async () => {
  await using folder = await openFolder();
  const path = join(folder.folder, "words.yaml");
  writeFileSync(path, "duvet: [doona, continental quilt]\n");
  await using site = await openSite({ SEARCH_WORDS_FILE: path });
  const desk = await openDesk(site);
  const words = readWords((await desk.get("/desk/search?q=doona")).text);
  expect(words).toMatch(/doona .*duvet .*Yes/);
  expect(words).toContain("Bedding by the season");
});
