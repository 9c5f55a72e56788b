// Prints the sentences that a person can meet, under the file that each comes from: npm run texts (-- --library)
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { parse } from "yaml";

type Node = { type: string; start: number; end: number; [key: string]: unknown };

const sources = ["app/**/*.{ts,tsx}", "server/**/*.ts", "public/*.js"];
const documents = ["server/operations/legal/*.md", "server/content/urgent-help/urgent-help.yaml"];
const library = "server/content/bundled/**/*.{md,yaml,vtt}";
const isLeftOut = (path: string) => /\.test\.tsx?$|\/migrations\/|\/database\/tables\//.test(path);

/** Attributes and properties that a person reads, so one word is enough. */
const textPlaces =
  /^(?:alt|aria-(?:label|description)|about|awake|caption|description|heading|help|hint|intro|label|lead|name|note|number|opening|pending|placeholder|question|quiet|subject|summary|text|title|value|why)$/;
/** Attributes, properties and calls whose strings are read by machines: SQL, selectors, logs, headers, names of counters. */
const machinePlaces =
  /^(?:allow|authorization|className|codecs|d|href|key|media|rel|sandbox|sizes|src|srcSet|style|transform|type|(?:accept|cache|content)-[\w-]+)$/i;
const machineCalls =
  /^(?:append|closest|console|count|exec|innerJoin|leftJoin|log|matches|matchMedia|on|orderBy|querySelector(?:All)?|raw|selectFrom|set|split|sql|updateTable|where|whereRef)$/;

export function listTexts(path: string, content: string): string[] {
  const texts = path.endsWith(".yaml")
    ? listYamlTexts(parse(content))
    : /\.(?:md|vtt)$/.test(path)
      ? listDocumentTexts(content)
      : listSourceTexts(path, content);
  return [...new Set(texts.map((text) => text.replaceAll("&rsquo;", "’").replace(/\s+/g, " ").trim()))];
}

function listDocumentTexts(content: string): string[] {
  const [, head = "", body = content] = /^---\n(.*?)\n---\n(.*)$/s.exec(content) ?? [];
  return [...listYamlTexts(parse(head)), ...body.split(/\n{2,}/)].filter((text) => /\p{L}/u.test(text));
}

function listYamlTexts(value: unknown, key = ""): string[] {
  if (typeof value === "string") return textPlaces.test(key) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => listYamlTexts(each, Array.isArray(value) ? key : name));
}

function listSourceTexts(path: string, code: string): string[] {
  const texts: string[] = [];
  const slice = ({ start, end }: Node) => (end - start > 30 ? "…" : code.slice(start, end));

  /** A string, a template or a sum of them, with its values in brackets. */
  const readText = (node: Node): string | undefined => {
    if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : undefined;
    if (node.type === "TemplateLiteral") {
      const values = node["expressions"] as Node[];
      const parts = node["quasis"] as { value: { cooked: string } }[];
      return parts.map(({ value }, at) => value.cooked + (values[at] ? `{${slice(values[at])}}` : "")).join("");
    }
    if (!isSum(node)) return undefined;
    const sides = [node["left"] as Node, node["right"] as Node];
    if (sides.every((side) => readText(side) === undefined)) return undefined;
    return sides.map((side) => readText(side) ?? `{${slice(side)}}`).join("");
  };

  const readChild = (child: Node): string => {
    if (child.type === "JSXText") return child["value"] as string;
    if (child.type !== "JSXElement")
      return readText(child["expression"] as Node) ?? `{${slice(child["expression"] as Node)}}`;
    const children = child["children"] as Node[];
    return children.length > 0 ? children.map(readChild).join("") : ` {${slice(child)}} `;
  };

  const visit = (node: unknown, isTextPlace = false): void => {
    if (Array.isArray(node)) return node.forEach((each) => visit(each, isTextPlace));
    if (!isNode(node) || isForMachines(node)) return;
    if (node.type === "JSXElement" || node.type === "JSXFragment") {
      const children = node["children"] as Node[];
      if (children.some(({ type, value }) => type === "JSXText" && /\p{L}/u.test(String(value))))
        texts.push(children.map(readChild).join(""));
      visit(node["openingElement"]);
      return visit(children);
    }
    const text = readText(node);
    if (text !== undefined) {
      if (isSentence(text) || (isTextPlace && /^\(?(?:\p{Lu}\p{Ll}|\d)/u.test(text)))
        texts.push(text.replace(/<[^>]*>/g, " "));
      return visit(listValues(node));
    }
    const key = (node["name"] ?? node["key"]) as { name?: string; value?: string } | undefined;
    const name = node.type === "JSXAttribute" || node.type === "Property" ? (key?.name ?? key?.value) : undefined;
    if (name !== undefined && machinePlaces.test(name)) return;
    const isPassedOn = isTextPlace && /^(?:Conditional|Logical|ArrowFunction)Expression$|Container$/.test(node.type);
    for (const [part, value] of Object.entries(node))
      if (part !== "key" && part !== "test") visit(value, name === undefined ? isPassedOn : textPlaces.test(name));
  };
  visit(parseSync(path, code).program);
  return texts;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/** The parts of a template or a sum that are no texts. */
function listValues(node: Node): Node[] {
  if (node.type === "Literal") return [];
  if (node.type === "TemplateLiteral") return node["expressions"] as Node[];
  return isSum(node) ? [node["left"] as Node, node["right"] as Node].flatMap(listValues) : [node];
}

const isSum = ({ type, operator }: Node) => type === "BinaryExpression" && operator === "+";

/** Two words, of which one may be a value, or one that begins and ends as a sentence does. */
function isSentence(text: string): boolean {
  const words = text.replace(/<[^>]*>/g, " ").replace(/\{[^}]*\}/g, "1");
  const isForMachine =
    /^[#.[(;]\S+$|^\(m|[|\\]|=["'\d]|'self'|; [\w-]+=|^https?:\S+$|^no-?\w+,|[a-z]:\S+;|^[A-Z]+ 1$/.test(words);
  return (
    !isForMachine &&
    /\p{L}{2}/u.test(words) &&
    (/\S\s+\S/.test(words) || /^\p{Lu}\p{Ll}+(?:\.{1,3}|[?!])$/u.test(words))
  );
}

function isForMachines(node: Node): boolean {
  if (/^(?:Import|ExportAll)|^TS(?:.*(?:Type|Declaration|Signature|Keyword)|TypeAnnotation)$/.test(node.type))
    return true;
  if (node.type === "BinaryExpression" && !isSum(node)) return true;
  const callee = (node["callee"] ?? node["tag"]) as Node | undefined;
  return callee !== undefined && listNames(callee).some((name) => machineCalls.test(name));
}

function listNames(node: Node): string[] {
  if (node.type === "Identifier") return [node["name"] as string];
  if (node.type !== "MemberExpression") return [];
  return [node["object"], node["property"]].flatMap((part) => listNames(part as Node));
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const isLibrary = process.argv.includes("--library");
  for (const path of globSync(isLibrary ? library : [...sources, ...documents], { cwd: root }).toSorted()) {
    const texts = isLeftOut(path) ? [] : listTexts(path, readFileSync(join(root, path), "utf8"));
    if (texts.length > 0) console.log([path, ...texts.map((text) => `  ${text}`), ""].join("\n"));
  }
}
