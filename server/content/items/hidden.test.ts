import { describe, expect, test } from "vitest";

import type { Losses } from "./blocks.ts";
import { toText } from "./html-text.ts";
import { sanitiseBody } from "./sanitise.ts";

function clean(html: string) {
  const losses: Losses = new Map();
  const shown = sanitiseBody(html, { basePath: "/", losses });
  return { text: toText(shown), shown, losses: [...losses.values()].map(({ what, count }) => `${count} ${what}`) };
}

describe("what a page hides at its source is not shown, and counted", () => {
  test.each([
    "hidden",
    'hidden=""',
    'style="display:none"',
    'style="color: red; DISPLAY : none !important;"',
    'style="visibility:hidden"',
    'style="opacity:0"',
    'style="opacity: 0.0"',
    'style="font-size:0px"',
    'style="position:absolute;left:-9999px"',
    'style="position: fixed; top: -1000em"',
    'style="text-indent:-999em"',
    'style="margin-left:-5000px"',
    'style="position:absolute;clip:rect(1px, 1px, 1px, 1px)"',
    'style="clip-path:inset(50%)"',
    'class="screen-reader-text"',
    'class="a sr-only b"',
    'class="visually-hidden"',
  ])("%s", (attributes) => {
    const { text, losses } = clean(
      `<p>Sleep.</p><div ${attributes}>Casino <b>now <img src="/x.png"></b></div><p>Well.</p>`,
    );
    expect(text).toBe("Sleep. Well.");
    expect(losses).toEqual(["1 hidden text"]);
  });

  test.each([
    "span",
    "p",
    "h1",
    "li",
    "section",
    "a href='https://x.example'",
    "iframe src='https://youtu.be/M7lc1UVf-VE'",
    "video src='/media/a.mp4'",
  ])("also as <%s>", (tag) => {
    const [name] = tag.split(" ");
    expect(clean(`<p>Sleep.</p><${tag} style="display:none">Casino</${name}>`).shown).toBe("<p>Sleep.</p>");
  });

  test("once, where hidden parts are in one another", () => {
    expect(clean("<div hidden>a <p hidden>b</p></div><p hidden>c</p>").losses).toEqual(["2 hidden text"]);
  });
});

describe("what a reader of the source sees, or opens there, is shown", () => {
  test.each([
    '<p style="display:block;opacity:0.5;left:-9999px">Sleep</p>',
    '<p style="font-size:0.8em;text-indent:2em;margin-left:-10px">Sleep</p>',
    '<p aria-hidden="true">Sleep</p>',
    '<p hidden="until-found">Sleep</p>',
    "<details><p>Sleep</p></details>",
    '<section role="tabpanel" hidden>Sleep</section>',
    '<div class="elementor-tab-content" style="display:none">Sleep</div>',
    '<div class="ui-accordion-content panel" style="display: none">Sleep</div>',
    '<a href="https://x.example"><span class="screen-reader-text">Sleep</span></a>',
  ])("%s", (html) => {
    const { text, losses } = clean(html);
    expect({ text, losses }).toEqual({ text: "Sleep", losses: [] });
  });
});
