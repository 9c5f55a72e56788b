import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The documents at the root, in `docs/` and in the areas of `server/`. Paths are the repository's. */

const root = resolve(import.meta.dirname, "../..");

export function readDocument(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

export function listDocuments(): string[] {
  const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  return [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    ...pages.filter((name) => name.endsWith(".md")).map((name) => join("docs", name)),
    ...readdirSync(join(root, "server")).flatMap((name) => {
      const glossary = join("server", name, "README.md");
      return existsSync(join(root, glossary)) ? [glossary] : [];
    }),
  ];
}

/** Spans in backticks, without blocks of code. */
export function listSpans(text: string): string[] {
  return [...text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "").matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) =>
    span.replaceAll("\\|", "|"),
  );
}

/** The rows of the table whose first column has this title. */
export function readTable(text: string, title: string): string[][] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith("|") && readCells(line)[0] === title);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return start === -1 ? [] : lines.slice(start + 2, end).map(readCells);
}

function readCells(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}
