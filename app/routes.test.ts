import { readFileSync } from "node:fs";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, test } from "vitest";

import { screenPaths } from "./frame/paths.ts";
import routes from "./routes.ts";

/** Plain links open these as documents: they are no member's, or have their own frame. */
const documents = [
  "/company",
  "/demo-gateway/authenticate/:id",
  "/demo-gateway/card/:id",
  "/demo-gateway/debit/:id",
  "/desk",
  "/gift",
  "/gift-letter",
  "/give",
  "/given",
  "/privacy",
  "/terms",
  "/*",
];

/** Layouts without a path have no page here. */
const hasPage = ({ file }: RouteConfigEntry) =>
  /^export default /m.test(readFileSync(new URL(file, import.meta.url), "utf8"));

test("a plain link opens each page either as a screen or as a document, and no page by chance", () => {
  const pages = routes.filter(hasPage).map(({ path = "" }) => `/${path.replace(/^\//, "")}`);
  expect(pages.toSorted()).toEqual([...screenPaths, ...documents].toSorted());
});
