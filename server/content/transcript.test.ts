import { expect, test } from "vitest";

import { listBlocks, numberBlocks } from "./transcript.ts";

test("paragraphs, headings and entries of a list are numbered, and keep their words", () => {
  const html = numberBlocks("<h2>One</h2><p>Two &amp; <em>t</em>wo</p>\n<ul><li>Three</li><li>Four</li></ul>");
  expect(html).toBe(
    '<h2 id="transcript-1">One</h2><p id="transcript-2">Two &amp; <em>t</em>wo</p>\n' +
      '<ul><li id="transcript-3">Three</li><li id="transcript-4">Four</li></ul>',
  );
  expect(listBlocks(html)).toEqual([
    { id: "transcript-1", text: "One" },
    { id: "transcript-2", text: "Two & two" },
    { id: "transcript-3", text: "Three" },
    { id: "transcript-4", text: "Four" },
  ]);
});

test("what stands within a numbered one goes with it", () => {
  const html = numberBlocks("<ul><li><p>One</p><ul><li>Two</li></ul></li><li>Three</li></ul><pre>Four</pre>");
  expect(listBlocks(html)).toEqual([
    { id: "transcript-1", text: "One Two" },
    { id: "transcript-2", text: "Three Four" },
  ]);
});

test("words before the first paragraph have no id", () => {
  expect(listBlocks(numberBlocks("Hello<br /><p>there</p>"))).toEqual([
    { id: undefined, text: "Hello" },
    { id: "transcript-1", text: "there" },
  ]);
});

test("an id of the text's own is still there to be linked to", () => {
  expect(numberBlocks('<p id="text-a" lang="de">Hallo</p>')).toBe(
    '<p id="transcript-1" lang="de"><a id="text-a"></a>Hallo</p>',
  );
});

test("entities are read once, and no transcript has no paragraphs", () => {
  expect(listBlocks("<p>&amp;lt; &lt;b&gt; &quot;</p>")).toEqual([{ id: undefined, text: '&lt; <b> "' }]);
  expect(listBlocks(numberBlocks(""))).toEqual([]);
});
