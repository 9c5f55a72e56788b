import { describe, expect, test } from "vitest";

import { dangersOf } from "../../tests/helpers/html-dangers.ts";
import { sanitiseBody } from "./sanitise.ts";

const sanitise = (html: string) => sanitiseBody(html, { basePath: "/dashboard/" });

describe("what stays", () => {
  test.each([
    "Plain words",
    "<p>One.</p>\n<p>Two.</p>",
    "<h2>Two</h2><h3>Three</h3><h4>Four</h4><h5>Five</h5><h6>Six</h6>",
    "<ul><li>One</li><li>Two<ul><li>Three</li></ul></li></ul>",
    '<ol start="3"><li>Three</li></ol>',
    "<dl><dt>REM</dt><dd>A kind of sleep</dd></dl>",
    "<blockquote><p>You are allowed not to know what time it is.</p></blockquote>",
    "<p><em>a</em> <strong>b</strong> <b>c</b> <i>d</i> <u>e</u> <s>f</s> <del>g</del> <ins>h</ins> <mark>i</mark></p>",
    "<p><small>a</small> <q>b</q> H<sub>2</sub>O <sup>1</sup> <abbr>GP</abbr> <cite>c</cite> <kbd>d</kbd></p>",
    '<p><time datetime="2026-11-20T03:00">three</time></p>',
    "<pre><code>if (tired) sleep();\n  wait();</code></pre>",
    "<section><div>a</div></section>",
    '<p lang="fr" dir="ltr">Bonne nuit</p>',
    "<p>Under 5 &lt; 6 &amp; 7 &gt; 6</p>",
    "<p>Good night 🌙 – “quoted”, naïve</p>",
  ])("%s", (html) => expect(sanitise(html)).toBe(html));

  test("line breaks and rules", () => {
    expect(sanitise("<p>a<br>b</p><hr>")).toBe("<p>a<br />b</p><hr />");
  });

  test("the words within a tag that goes", () => {
    expect(sanitise('<center><font color="red">Sleep <span>well</span></font></center>')).toBe("Sleep well");
  });

  test("entities, as the characters they stand for", () => {
    expect(sanitise("<p>can&#8217;t &mdash; caf&eacute; &#x1F319;</p>")).toBe("<p>can’t — café 🌙</p>");
  });

  test("nothing of nothing", () => expect(sanitise("")).toBe(""));
});

describe("headings", () => {
  test("a heading of the first rank steps back to the second: the page has one already", () => {
    expect(sanitise('<h1 id="why">Why</h1><H1>How</H1>')).toBe('<h2 id="text-why">Why</h2><h2>How</h2>');
  });
});

describe("links and ids", () => {
  test.each([
    ["https://example.org/a?b=1&amp;c=2#d", "https://example.org/a?b=1&amp;c=2#d"],
    ["http://example.org", "http://example.org"],
    ["mailto:hello@example.org", "mailto:hello@example.org"],
    ["tel:999", "tel:999"],
    ["/dashboard?view=read", "/dashboard?view=read"],
  ])("a link to %s leads there, and lends the other page nothing", (href, out) => {
    expect(sanitise(`<a href="${href}" target="_blank" rel="opener">a</a>`)).toBe(
      `<a rel="noopener noreferrer" href="${out}">a</a>`,
    );
  });

  test("a footnote and its mark keep finding each other under their prefixed ids", () => {
    const html = sanitise(
      '<p>Words.<sup><a href="#note-1" id="note-ref-1" data-footnote-ref>1</a></sup></p>' +
        '<section class="footnotes" data-footnotes><ol><li id="note-1">Note.' +
        '<a href="#note-ref-1" aria-label="Back to reference 1" data-footnote-backref>↩</a></li></ol></section>',
    );
    expect(dangersOf(html)).toEqual([]);
    expect(html).toContain('<a href="#text-note-1" id="text-note-ref-1">1</a>');
    expect(html).toContain(
      '<li id="text-note-1">Note.<a aria-label="Back to reference 1" href="#text-note-ref-1">↩</a>',
    );
  });

  test("a heading that is linked to is reached", () => {
    expect(sanitise('<a href="#why">a</a><h3 id="why">b</h3>')).toBe(
      '<a href="#text-why">a</a><h3 id="text-why">b</h3>',
    );
  });
});

describe("pictures", () => {
  test("a picture of ours is served from the media address, and loads when it is near", () => {
    expect(sanitise('<img src="media/moon.webp" alt="A full moon" width="1200" height="675">')).toBe(
      '<img alt="A full moon" width="1200" height="675" src="/dashboard/media/moon.webp" loading="lazy" decoding="async" />',
    );
  });

  test("the media address follows the base path", () => {
    expect(sanitiseBody('<img src="media/moon.webp">', { basePath: "/members/dashboard/" })).toContain(
      'src="/members/dashboard/media/moon.webp"',
    );
  });

  test("a picture without words has an empty alternative", () => {
    expect(sanitise('<img src="media/moon.webp">')).toContain('alt=""');
  });

  test("a picture cannot ask to be loaded at once", () => {
    expect(sanitise('<img src="media/moon.webp" loading="eager" decoding="sync">')).toContain(
      'loading="lazy" decoding="async"',
    );
  });

  test("a picture in a figure keeps its caption, and a figure that lost its picture keeps it too", () => {
    expect(sanitise('<figure><img src="media/a.webp" alt=""><figcaption>A moon</figcaption></figure>')).toMatch(
      /^<figure><img [^>]+><figcaption>A moon<\/figcaption><\/figure>$/,
    );
    expect(sanitise('<figure><img src="https://evil.example/a.webp"><figcaption>A moon</figcaption></figure>')).toBe(
      "<figure><figcaption>A moon</figcaption></figure>",
    );
  });
});

describe("tables", () => {
  const table = "<table><thead><tr><th>Cup</th></tr></thead><tbody><tr><td>Tea</td></tr></tbody></table>";

  test("a table scrolls by itself, and can be reached by keyboard", () => {
    expect(sanitise(table)).toBe(`<div class="table-scroll" tabindex="0">${table}</div>`);
  });

  test("each of two tables scrolls by itself", () => {
    expect(sanitise(`${table}<p>and</p>${table}`)).toBe(
      `<div class="table-scroll" tabindex="0">${table}</div><p>and</p><div class="table-scroll" tabindex="0">${table}</div>`,
    );
  });

  test("a table keeps its spans, its scopes and its caption", () => {
    const spans =
      '<table><caption>Cups</caption><tr><th colspan="2" scope="col">a</th><td rowspan="3">b</td></tr></table>';
    expect(sanitise(spans)).toContain(spans);
  });

  test("an unclosed table is closed within its scroll", () => {
    expect(sanitise("<table><tr><td>a")).toBe(
      '<div class="table-scroll" tabindex="0"><table><tr><td>a</td></tr></table></div>',
    );
  });

  test("a table scrolls whatever it carries, and one within another scrolls with it", () => {
    expect(sanitise('<table id="t" lang="en"><tr><td>a</td></tr></table>')).toMatch(
      /^<div class="table-scroll" tabindex="0"><table /,
    );
    const nested = sanitise("<table><tr><td><table><tr><td>a</td></tr></table></td><td>b</td></tr></table>");
    expect(nested.match(/table-scroll/g)).toHaveLength(1);
    expect(nested.endsWith("</table></div>")).toBe(true);
  });
});

describe("embeds", () => {
  const youtube = "https://www.youtube-nocookie.com/embed/M7lc1UVf-VE";
  const vimeo = "https://player.vimeo.com/video/76979871?dnt=1";

  test.each([
    ["https://www.youtube.com/embed/M7lc1UVf-VE", "YouTube", youtube],
    ["https://www.youtube.com/embed/M7lc1UVf-VE?autoplay=1&amp;rel=0", "YouTube", youtube],
    ["https://www.youtube.com/watch?v=M7lc1UVf-VE", "YouTube", youtube],
    ["https://youtu.be/M7lc1UVf-VE", "YouTube", youtube],
    ["https://www.youtube-nocookie.com/embed/M7lc1UVf-VE", "YouTube", youtube],
    ["https://player.vimeo.com/video/76979871?autoplay=1", "Vimeo", vimeo],
    ["https://vimeo.com/76979871", "Vimeo", vimeo],
  ])("%s waits in a closed fold, and is then played by %s without a cookie", (src, host, address) => {
    const html = sanitise(
      `<iframe src="${src}" width="560" allow="autoplay; clipboard-write" loading="eager"></iframe>`,
    );
    expect(dangersOf(html)).toEqual([]);
    expect(html).toBe(
      `<details class="embed"><summary>Play the video from ${host}</summary>` +
        `<iframe src="${address}" title="Video" loading="lazy" allow="fullscreen; picture-in-picture"` +
        ' allowfullscreen referrerpolicy="strict-origin-when-cross-origin"></iframe></details>',
    );
  });

  test("an unlisted film keeps its key", () => {
    const html = sanitise('<iframe src="https://player.vimeo.com/video/123?h=abcdef"></iframe>');
    expect(html).toContain('src="https://player.vimeo.com/video/123?h=abcdef&amp;dnt=1"');
  });

  test("an embed keeps the title it was given", () => {
    const html = sanitise('<iframe src="https://youtu.be/M7lc1UVf-VE" title="Breathe &quot;slowly&quot;"></iframe>');
    expect(html).toContain(' title="Breathe &quot;slowly&quot;"');
  });

  test("an embed of another host goes, and the words about it stay", () => {
    expect(sanitise('<p>a</p><iframe src="https://evil.example/"></iframe><p>b</p>')).toBe("<p>a</p><p>b</p>");
  });

  test.each(["words", "\n", "<p>words</p>", "<iframe src='https://youtu.be/M7lc1UVf-VE'></iframe>"])(
    "a frame with %j inside is emptied and folded like any other",
    (inside) => {
      const html = sanitise(`<p>a</p><iframe src="https://youtu.be/M7lc1UVf-VE">${inside}</iframe><p>b</p>`);
      expect(html).toMatch(/<details class="embed"><summary>[^<]*<\/summary><iframe [^>]*><\/iframe><\/details>/);
      expect(html.match(/<iframe/g)).toHaveLength(html.match(/<details/g)?.length ?? 0);
      expect(html).not.toContain("words<");
    },
  );

  test("an embed is named after its host, whatever its title says", () => {
    expect(sanitise('<iframe src="https://youtu.be/M7lc1UVf-VE" title="better than vimeo"></iframe>')).toContain(
      "from YouTube",
    );
    expect(sanitise('<iframe src="https://vimeo.com/76979871"></iframe>')).toContain("from Vimeo");
  });
});
