import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { toParagraphs } from "./paragraphs.ts";

describe("a text as it is typed into WordPress's editor", () => {
  test.each([
    ["nothing", " \n\n ", ""],
    ["one line", "Lie down.", "<p>Lie down.</p>"],
    ["blank lines", "Lie down.\n\nBreathe.\n \t\n\n\nRest.", "<p>Lie down.</p>\n<p>Breathe.</p>\n<p>Rest.</p>"],
    ["line ends", "Lie down.\r\nBreathe.\rRest.", "<p>Lie down.<br />\nBreathe.<br />\nRest.</p>"],
    ["typed breaks", "In.<br>Out.<br/>\nIn.<BR />", "<p>In.<br />\nOut.<br />\nIn.</p>"],
    ["two breaks in a row", "In.<br /> <br />Out.", "<p>In.</p>\n<p>Out.</p>"],
    [
      "inline elements",
      "A <em>quiet</em>\n<a href='/x'>place</a>",
      "<p>A <em>quiet</em><br />\n<a href='/x'>place</a></p>",
    ],
    ["line ends in a tag", '<a\n href="a\n\nb">Here</a>', '<p><a\n href="a\n\nb">Here</a></p>'],
    ["a shortcode", "Hear it:\n\n[audio src=x]", "<p>Hear it:</p>\n<p>[audio src=x]</p>"],
    ["a block's comment", "<!-- wp:list -->\n<ul><li>a</li></ul>", "<!-- wp:list -->\n<ul><li>a</li></ul>"],
    ["signs that are no tags", "2 < 3\n\n4 > 3", "<p>2 < 3</p>\n<p>4 > 3</p>"],
    [
      "its own paragraphs",
      '<p class="a">One\ntwo</p>\n\n<p>Three</p>',
      '<p class="a">One<br />\ntwo</p>\n<p>Three</p>',
    ],
    ["a heading and its text", "<h2>Why\nsleep</h2>\nBecause.", "<h2>Why<br />\nsleep</h2><p>Because.</p>"],
    [
      "lists",
      "Two:\n<ul>\n<li>a</li>\n<li>b\nc</li>\n</ul>",
      "<p>Two:</p><ul>\n<li>a</li>\n<li>b<br />\nc</li>\n</ul>",
    ],
    ["paragraphs in a box", "<div>\na\n\nb\n</div>", "<div><p>a</p>\n<p>b</p></div>"],
    ["a line in a box", "<div>a</div>\n<section>b</section>", "<div>a</div>\n<section>b</section>"],
    ["a quotation", "<blockquote>a\n\nb</blockquote>", "<blockquote><p>a</p>\n<p>b</p></blockquote>"],
    ["a table", "<table>\n<tr>\n<td>a\nb</td></tr></table>", "<table>\n<tr>\n<td>a<br />\nb</td></tr></table>"],
    ["a line across", "a\n<hr>\nb", "<p>a</p><hr><p>b</p>"],
    ["what stays as it is", "a\n\n<pre>x\n\n<b>y</b>\n</pre>", "<p>a</p><pre>x\n\n<b>y</b>\n</pre>"],
    ["a player", '<video>\n\n<source src="a">\n</video>', '<p><video>\n\n<source src="a">\n</video></p>'],
  ])("%s", (_, typed, html) => expect(toParagraphs(typed)).toBe(html));
});

const parts = fc.constantFrom(
  ..."a|b c|\n|\n\n| |\r\n|<br>|<br />\n|<p>|</p>|<div>|</div>|<ul>|<li>|</li>|</ul>|<em>|</em>|<pre>|</pre>|<hr>|<svg>".split(
    "|",
  ),
  ..."</svg>|<!-- c -->|<!--|-->|<|>|\"|'|<a title='|<P CLASS=x>|<blockquote>|</blockquote>|<td>|<h2>|</h2>|[x]|&amp;".split(
    "|",
  ),
);
const typedTexts = fc.oneof(
  fc.string(),
  fc.array(parts, { maxLength: 40 }).map((pieces) => pieces.join("")),
);

const withoutAdded = (html: string) => html.replace(/<\/?p>|<br\b[^<>]*>|[\s\0]/gi, "");

test("no text and no tag but breaks is lost, whatever is typed", () => {
  fc.assert(
    fc.property(typedTexts, (typed) => {
      expect(withoutAdded(toParagraphs(typed))).toBe(withoutAdded(typed));
    }),
  );
});

test("its own paragraphs stay as they are", () => {
  fc.assert(
    fc.property(typedTexts, (typed) => {
      const html = toParagraphs(typed);
      expect(toParagraphs(html)).toBe(html);
    }),
  );
});
