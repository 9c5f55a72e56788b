import { expect, test } from "vitest";

import type { Item } from "../items/item.ts";
import { toOverview } from "./overview.ts";

const read = (author: string, ...terms: string[]) => ({ kind: "read", author, terms }) as Item;
const learn = (author: string, ...terms: string[]) => ({ kind: "learn", author, terms }) as Item;

test("an overview counts each section, and ranks topics and authors by their items", () => {
  const items = [read("Ann", "Rain"), read("Tom", "Insomnia"), learn("Tom", "Snoring", "Insomnia")];
  expect(toOverview(items)).toEqual({
    counts: { watch: 0, listen: 0, read: 2, learn: 1 },
    topics: ["Getting to sleep", "Snoring and sleep apnoea"],
    authors: ["Tom", "Ann"],
  });
});

test("where no topic is known the terms are named as they are", () => {
  expect(toOverview([read("Ann", "Rain"), read("Ann", "Sea"), read("Ann", "Sea")]).topics).toEqual(["Sea", "Rain"]);
});
