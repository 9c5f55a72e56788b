import { describe, expect, test } from "vitest";

import { hostileCode } from "../../../tests/helpers/hostile-code.ts";
import { hostileMarkup } from "../../../tests/helpers/hostile-markup.ts";
import { findDangers, readTags } from "../../../tests/helpers/html-dangers.ts";
import { toText, toTextOfBody } from "./html-text.ts";
import { sanitiseBody } from "./sanitise.ts";

const sanitise = (html: string) => sanitiseBody(html, { basePath: "/dashboard/" });
const hostile = [...hostileCode, ...hostileMarkup];

describe("the guard of these tests", () => {
  test.each([
    "<p><script></script></p>",
    '<p onclick="x">a</p>',
    '<a href="javascript:alert(1)">a</a>',
    '<a href="//evil.example">a</a>',
    '<a href="/\\evil.example">a</a>',
    '<img src="https://evil.example/x.png" />',
    '<img src="//evil.example/x.png" />',
    '<iframe src="https://www.youtube.com/embed/M7lc1UVf-VE"></iframe>',
    '<p id="root">a</p>',
    '<div class="modal">a</div>',
    `<iframe src="https://www.youtube-nocookie.com/embed/M7lc1UVf-VE"></iframe>`,
    "<svg></svg>",
  ])("sees the danger of %s", (html) => expect(findDangers(html)).not.toEqual([]));

  test.each(["<p", "<P>a</P>", "a < b", "<p id='text-x'>", "<!-- x -->", "<p id=text-x>", "&#106;", "<p/onclick>"])(
    "does not read %s",
    (html) => expect(() => readTags(html)).toThrow("not canonical"),
  );
});

const places: [where: string, surround: (html: string) => string][] = [
  ["by itself", (html) => html],
  ["in a table", (html) => `<table><tr><td>${html}</td></tr></table>`],
  ["in a link in a list", (html) => `<ul><li><a href="https://x.example">${html}</a></li></ul>`],
  ["in an svg", (html) => `<svg>${html}</svg>`],
  ["in a formula", (html) => `<math><mtext>${html}</mtext></math>`],
  ["in a style", (html) => `<style>${html}</style>`],
  ["in a text box", (html) => `<textarea>${html}</textarea>`],
  ["in old plain text", (html) => `<xmp>${html}</xmp>`],
  ["in an attribute", (html) => `<img src="media/a.webp" alt="${html}">`],
  ["after an unclosed quote", (html) => `<p title="${html}`],
  ["in a comment", (html) => `<!-- ${html} -->`],
  ["twice", (html) => html + html],
];

test.each(hostile)("%s comes out harmless, wherever it stands", (_, html) => {
  for (const [where, surround] of places) expect(findDangers(sanitise(surround(html))), `found ${where}`).toEqual([]);
});

test.each(hostile)("the text of %s is what a parser reads", (_, html) => {
  for (const [where, surround] of places) {
    const body = sanitise(`${surround(html)}<h2 title=">">1 &lt; 2 &amp;amp; 3 &gt; 2</h2><p>a<br>b&nbsp;c</p>`);
    expect(toTextOfBody(body), `found ${where}`).toBe(toText(body));
  }
});

test("a text without a tag and a reference is what a parser reads", () => {
  for (const text of ["", "Sleep > well", 'A "film"', "one\n two\u0000 \u200b three", "’ é 😴"])
    expect(toText(text)).toBe(toText(`<b>${text}</b>`));
});

test.each(hostile)("%s does not cost the words before it", (_, html) => {
  expect(sanitise(`<p>Sleep well.</p>${html}`)).toMatch(/^<p>Sleep well\.<\/p>/);
});

test("the code of a script and of a style is not shown as text", () => {
  expect(sanitise("a<script>alert(1)</script><style>p{}</style><template>t</template>b")).toBe("ab");
});

test("nesting stops at a depth that no writer needs", () => {
  const depth = 900;
  const html = sanitise(`${"<div>".repeat(depth)}deep${"</div>".repeat(depth)}`);
  expect(findDangers(html)).toEqual([]);
  expect(html.match(/<div>/g)?.length).toBeLessThanOrEqual(41);
  expect(html).toContain("deep");
});

test("elements that are nested deeper than the parser can bear are refused", () => {
  expect(() => sanitise("<b>x".repeat(20_000))).toThrow("nested more than 1000 deep");
  expect(() => sanitise("<table><tr><td>x".repeat(5000))).toThrow("nested more than 1000 deep");
});

test.each([
  ["brackets", "<".repeat(200_000)],
  ["ends", "</p>".repeat(100_000)],
  ["ampersands", "&".repeat(200_000)],
  ["comments", "<!--".repeat(50_000)],
  ["quotes", `<p title="${"'".repeat(200_000)}`],
  ["attributes", `<p ${Array.from({ length: 20_000 }, (_, index) => `a${index}=1`).join(" ")}>x`],
])("a great many %s do not stop the app", (_, html) => {
  expect(findDangers(sanitise(html))).toEqual([]);
});

test("a book of a million letters stays whole", () => {
  const book = "<p>Sleep comes when you are sleepy enough &amp; not on guard.</p>\n".repeat(16_000);
  expect(book.length).toBeGreaterThan(1_000_000);
  expect(sanitise(book)).toBe(book);
});
