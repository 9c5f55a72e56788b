import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";

/**
 * A browser's translator wraps each text in an element, so React no longer finds it: a text that comes or goes beside
 * others, or after something that does, throws (`tests/e2e/translated.spec.ts`). In its own element it may do so.
 */
type Node = { type: string; start: number; end: number; [key: string]: unknown };

const root = join(import.meta.dirname, "..");

/** That an expression may have. */
function listValues(node: Node): Node[] {
  const { consequent, alternate, left, right } = node as unknown as Record<string, Node>;
  if (consequent && alternate) return [...listValues(consequent), ...listValues(alternate)];
  if (node.type === "LogicalExpression" && left && right)
    return node["operator"] === "&&"
      ? [{ ...left, type: "Nothing" }, ...listValues(right)]
      : [left, right].flatMap(listValues);
  return node.type === "JSXExpressionContainer" || node.type === "ParenthesizedExpression"
    ? listValues(node["expression"] as Node)
    : [node];
}

const isText = ({ type, value }: Node) =>
  type === "TemplateLiteral" ||
  (/^(?:JSXText|Literal)$/.test(type) && typeof value === "string" && value.trim() !== "");
const isNothing = ({ type, value, name }: Node) =>
  type === "Nothing" || (type === "Literal" && value === null) || name === "undefined";
const isBlank = (node: Node) =>
  listValues(node).every(({ type, value }) => /^(?:JSXText|Literal)$/.test(type) && String(value).trim() === "") ||
  /JSXEmptyExpression/.test((node["expression"] as Node | undefined)?.type ?? "");

/** Texts among children that come or go, or after a sibling that does. */
function findLooseTexts(code: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const children = ((node as Node)["children"] as Node[] | undefined)?.filter((child) => !isBlank(child)) ?? [];
    for (const [at, child] of children.entries()) {
      const values = listValues(child);
      const before = children[at - 1];
      const isAlone = children.length === 1;
      const isLoose = values.some(isText) && (values.length > 1 || (before && listValues(before).some(isNothing)));
      if (!isAlone && isLoose) found.push(code.slice(child.start, child.end).trim());
    }
    Object.values(node).forEach(visit);
  };
  visit(parseSync("page.tsx", code, { lang: "tsx" }).program);
  return found;
}

test("a text that comes or goes beside others is found", () => {
  expect(findLooseTexts("<p>{count} {isNew && ' new'}</p>")).toEqual(["{isNew && ' new'}"]);
  expect(findLooseTexts("<p>{isShown ? 'Hide' : `Show ${name}`} <b>it</b></p>")).toHaveLength(1);
  expect(findLooseTexts("<p>{icon && <Icon />} Go on</p>")).toEqual(["Go on"]);
  expect(findLooseTexts("<p>{isNew && 'new'}</p>")).toEqual([]);
  expect(findLooseTexts("<p>{count} {isNew && <span> new</span>}</p>")).toEqual([]);
});

test("no text of a page comes or goes beside others without an element of its own", () => {
  const files = readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".tsx"),
  );
  const loose = files.flatMap((name) =>
    findLooseTexts(readFileSync(join(root, "app", name), "utf8")).map((text) => `${name}: ${text}`),
  );
  expect(loose).toEqual([]);
});

test("all texts of the pages have one apostrophe", () => {
  const files = readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  );
  const curly = files.filter((name) => /\p{L}(?:’|&rsquo;)/u.test(readFileSync(join(root, "app", name), "utf8")));
  expect(files.length).toBeGreaterThan(100);
  expect(curly, "with ’ or &rsquo; in place of '").toEqual([]);
});
