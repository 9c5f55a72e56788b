import { describe, expect, test } from "vitest";

import { findDangers } from "../../../tests/helpers/html-dangers.ts";
import type { Losses } from "./blocks.ts";
import { toText } from "./html-text.ts";
import { sanitiseBody } from "./sanitise.ts";

const sanitise = (html: string) => sanitiseBody(html, { basePath: "/dashboard/" });

describe("what stays", () => {
  test.each([
    "",
    "Plain words",
    "<p>a<br />b</p><hr />",
    '<a href="#text-why">a</a><h3 id="text-why">b</h3>',
    '<p>a <span id="text-why">b</span> <span lang="fr">c</span></p><p><a href="#text-why">d</a></p>',
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
  ])("%s", (html) => expect(sanitise(html.replaceAll("text-", ""))).toBe(html));

  test("entities, as the characters they stand for", () => {
    expect(sanitise("<p>can&#8217;t &mdash; caf&eacute; &#x1F319;</p>")).toBe("<p>can’t — café 🌙</p>");
  });
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
      `<a href="${out}" rel="noopener noreferrer">a</a>`,
    );
  });

  test("a footnote and its mark keep finding each other under their prefixed ids", () => {
    const html = sanitise(
      '<p>Words.<sup><a href="#note-1" id="note-ref-1" data-footnote-ref>1</a></sup></p>' +
        '<section class="footnotes" data-footnotes><ol><li id="note-1">Note.' +
        '<a href="#note-ref-1" aria-label="Back to reference 1" data-footnote-backref>↩</a></li></ol></section>',
    );
    expect(findDangers(html)).toEqual([]);
    expect(html).toContain('<a href="#text-note-1" id="text-note-ref-1">1</a>');
    expect(html).toContain(
      '<li id="text-note-1">Note.<a aria-label="Back to reference 1" href="#text-note-ref-1">↩</a>',
    );
  });

  test.each([
    ["What_is_sleep?", "What_is_sleep?"],
    ["What_is_sleep?", "What_is_sleep%3F"],
    ["müde-augen", "m%C3%BCde-augen"],
    ["m%C3%BCde-augen", "müde-augen"],
    ["its-what’s-next", "its-what’s-next"],
    ["(2)", "(2)"],
    ["a:b.c-d_e", "a:b.c-d_e"],
    ["100%", "100%"],
    ["眠り", "%E7%9C%A0%E3%82%8A"],
    ["two words", "two%20words"],
    ["&quot;&lt;b&gt;", "&quot;&lt;b&gt;"],
  ])("the place %s is found by a link to #%s", (id, fragment) => {
    const losses: Losses = new Map();
    const html = sanitiseBody(`<a href="#${fragment}">a</a><h2 id="${id}">b</h2>`, { basePath: "/", losses });
    const [, link] = /href="#([^"]*)"/.exec(html) ?? [];
    const [, place] = /<h2 id="([^"]*)"/.exec(html) ?? [];
    expect(link).toBe(place);
    expect(place).toMatch(/^text-[\w:.-]+$/);
    expect([findDangers(html), ...losses.values()]).toEqual([[]]);
  });

  test.each([
    ['<h2><span class="ez-toc-section" id="a"></span>Why<span class="ez-toc-section-end"></span></h2>', "span"],
    ['<p><a name="a"></a>Why</p>', "a"],
    ['<article id="a"><p>Why</p></article>', "div"],
    ['<center id="a">Why</center>', "div"],
    ['<button id="a">Why</button>', "span"],
    ['<iframe id="a" src="https://youtu.be/M7lc1UVf-VE"></iframe>', "iframe"],
  ])("of %s a link still finds the place", (html, name) => {
    const losses: Losses = new Map();
    const out = sanitiseBody(`<a href="#a">Why</a>${html}`, { basePath: "/", losses });
    expect(out).toContain('<a href="#text-a">Why</a>');
    expect(out).toMatch(new RegExp(`<${name}( [^<>]*)? id="text-a"`));
    expect([findDangers(out), ...losses.values()]).toEqual([[]]);
  });

  test("a link whose place is nowhere keeps its words, and is counted; the top of the page is always there", () => {
    const losses: Losses = new Map();
    const html = sanitiseBody('<a href="#gone">a</a> <a href="#">b</a> <a href="#top">c</a>', {
      basePath: "/",
      losses,
    });
    expect(html).toBe('<a>a</a> <a>b</a> <a href="#">c</a>');
    expect([...losses.values()]).toEqual([
      { what: "link", why: "it has no address", count: 1 },
      { what: "link", why: "the place it leads to isn't in the text", count: 1 },
    ]);
  });

  const targets = new Map([["cms.example/blog/worry/list", "?view=read&item=25"]]);
  const from = (base: string | undefined) => ({
    basePath: "/members/",
    base,
    links: { targets, lookedUp: new Set<string>() },
  });

  test.each([
    ["http://cms.example/blog/worry/list", ""],
    ["https://cms.example/blog/worry/list/?utm_source=mail#why", "#text-why"],
    ["//CMS.example/blog/worry/list/", ""],
    ["/blog/worry/list", ""],
    ["../worry/list/#why", "#text-why"],
    [" /blog/worry/%6Cist/ ", ""],
  ])("a link to %s, an item of the catalogue, leads to its page here", (href, fragment) => {
    const html = sanitiseBody(
      `<a href="${href}" target="_blank" rel="nofollow">a</a>`,
      from("https://cms.example/blog/here/"),
    );
    expect(html).toBe(`<a href="/members/?view=read&amp;item=25${fragment}">a</a>`);
  });

  test.each([
    ["/about/", "https://cms.example/about/"],
    ["about?a=1&amp;b=2", "https://cms.example/blog/here/about?a=1&amp;b=2"],
    ["//other.example/x", "https://other.example/x"],
    ["?page=2", "https://cms.example/blog/here/?page=2"],
    ["https://cms.example/about", "https://cms.example/about"],
    ["https://elsewhere.example/blog/worry/list", "https://elsewhere.example/blog/worry/list"],
    ["mailto:hello@example.org", "mailto:hello@example.org"],
  ])("a link to %s leads where it does at the source", (href, out) => {
    const html = sanitiseBody(`<a href="${href}">a</a>`, from("https://cms.example/blog/here/"));
    expect(html).toBe(`<a href="${out}" rel="noopener noreferrer">a</a>`);
  });

  test("a source that has no pages of its own keeps its relative links", () => {
    expect(sanitiseBody('<a href="/about/">a</a>', from(undefined))).toContain('href="/about/"');
  });

  test("an address that no link may have is counted", () => {
    const losses: Losses = new Map();
    const html = sanitiseBody('<a href="javascript:alert(1)">a</a><a href="data:,b">b</a>', { basePath: "/", losses });
    expect(html).toBe("<a>a</a> <a>b</a>");
    expect([...losses.values()]).toEqual([
      { what: "link", why: "an address that begins with javascript: is not followed", count: 1 },
      { what: "link", why: "an address that begins with data: is not followed", count: 1 },
    ]);
  });
});

describe("pictures", () => {
  test("a picture of ours is served from the media address, and loads when it is near, whatever it asks for", () => {
    const html =
      '<img src="media/moon.webp" alt="A full moon" width="1200" height="675" loading="eager" decoding="sync">';
    expect(sanitise(html)).toBe(
      '<img alt="A full moon" width="1200" height="675" loading="lazy" decoding="async" src="/dashboard/media/moon.webp" />',
    );
    expect(sanitise('<img src="media/moon.webp">')).toContain('alt=""');
  });
});

describe("tables", () => {
  const table = "<table><thead><tr><th>Cup</th></tr></thead><tbody><tr><td>Tea</td></tr></tbody></table>";

  test("a table scrolls by itself, and can be reached by keyboard", () => {
    const scrolling = (html: string) => `<div class="table-scroll" tabindex="0">${html}</div>`;
    const spans =
      '<table><caption>C</caption><tr><th colspan="2" scope="col">a</th><td rowspan="3">b</td></tr></table>';
    expect(sanitise(`${table}<p>and</p>${spans}`)).toBe(`${scrolling(table)}<p>and</p>${scrolling(spans)}`);
    expect(sanitise("<table><tr><td>a")).toBe(scrolling("<table><tr><td>a</td></tr></table>"));
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
  test.each(["words", "\n", "<p>words</p>", "<iframe src='https://youtu.be/M7lc1UVf-VE'></iframe>"])(
    "a frame with %j inside is emptied and folded like any other",
    (inside) => {
      const html = sanitise(`<p>a</p><iframe src="https://youtu.be/M7lc1UVf-VE">${inside}</iframe><p>b</p>`);
      expect(html).toMatch(/<details class="embed"><summary>[^<]*<\/summary><iframe [^>]*><\/iframe><\/details>/);
      expect(html.match(/<iframe/g)).toHaveLength(html.match(/<details/g)?.length ?? 0);
      expect(html).not.toContain("words<");
    },
  );

  const embed = (html: string) => {
    const losses: Losses = new Map();
    const out = sanitiseBody(html, { basePath: "/", losses });
    expect(findDangers(out)).toEqual([]);
    return { out, losses: [...losses.values()].map(({ what, why }) => `${what}: ${why}`) };
  };

  test.each([
    ['src="about:blank" data-src-cmplz="https://www.youtube.com/embed/M7lc1UVf-VE?feature=oembed"', "youtube-nocookie"],
    ['data-cookieblock-src="//player.vimeo.com/video/76979871" data-cookieconsent="marketing"', "player.vimeo"],
    ['src="about:blank" data-lazy-src="https://www.youtube.com/embed/M7lc1UVf-VE?start=5&amp;list=PLabc"', "start=5"],
    ['src="data:text/html,x" data-src="https://youtu.be/M7lc1UVf-VE"', "youtube-nocookie"],
    ['data-orig-src="https://youtu.be/M7lc1UVf-VE" src=""', "youtube-nocookie"],
    ['suppressedsrc="https://youtu.be/M7lc1UVf-VE" class="_iub_cs_activate"', "youtube-nocookie"],
    ['src="/consent.html" data-borlabs-src="https://vimeo.com/76979871"', "player.vimeo"],
  ])("a frame that waits for consent, with %s, is folded like any other", (attributes, part) => {
    const { out, losses } = embed(`<iframe ${attributes}></iframe>`);
    expect(out).toMatch(/^<details class="embed">/);
    expect(out).toContain(part);
    expect(losses).toEqual([]);
  });

  test("what stands in for script is shown where nothing else shows the same", () => {
    const frame = '<iframe src="https://youtu.be/M7lc1UVf-VE"></iframe>';
    const alone = embed(
      `<div class="rll-youtube-player" data-id="M7lc1UVf-VE"></div><noscript>Off? ${frame}</noscript>`,
    );
    expect(alone.out).toMatch(/^<details class="embed">.*<\/details>$/);
    const twice = embed(`<iframe data-src="https://youtu.be/M7lc1UVf-VE"></iframe><noscript>${frame}</noscript>`);
    expect(twice.out).toBe(alone.out);
    const pixel = embed('<p>a</p><noscript><img src="https://spy.example/1.gif"><script>x</script></noscript>');
    expect(pixel.out).toBe("<p>a</p>");
  });

  test.each([
    ["https://www.youtube.com/clip/Ugkxabc", "www.youtube.com"],
    ["https://vimeo.com/event/76979871/embed", "vimeo.com"],
    ["//vimeo.com/showcase/22/embed", "vimeo.com"],
  ])("for the frame %s, which cannot be embedded, stands a link", (src, host) => {
    const { out, losses } = embed(`<iframe src="${src}"></iframe>`);
    expect(out).toMatch(/^<a class="media-link" href="https:/);
    expect(out).toContain(`>Watch the video at ${host}</a>`);
    expect(losses).toEqual([`frame: ${host} is not embedded here; a link replaces it`]);
  });

  test("an embed is named after its host, whatever its title says", () => {
    expect(sanitise('<iframe src="https://youtu.be/M7lc1UVf-VE" title="better than vimeo"></iframe>')).toContain(
      "from YouTube",
    );
    expect(sanitise('<iframe src="https://vimeo.com/76979871"></iframe>')).toContain("from Vimeo");
  });
});

describe("players", () => {
  const lost = (html: string, base = "https://cms.example/here/") => {
    const losses: Losses = new Map();
    return { html: sanitiseBody(html, { basePath: "/", base, site: base, losses }), losses: [...losses.values()] };
  };

  test.each([
    [
      "its title",
      '<audio src="media/a.mp3" title="Rain &amp; &quot;wind&quot;"></audio>',
      "Rain &amp; &quot;wind&quot;",
    ],
    ["its label", '<audio src="media/a.mp3" aria-label="Rain"></audio>', "Rain"],
    [
      "its caption",
      '<figure><audio src="media/a.mp3"></audio><figcaption> Rain,\n<b>"heavy"</b> </figcaption></figure>',
      "Rain, &quot;heavy&quot;",
    ],
  ])("a player is named after %s", (_, html, name) => {
    expect(sanitise(html)).toContain(` aria-label="${name}"`);
  });

  test("a caption names the player of its own figure only", () => {
    const html = sanitise(
      '<figure><figure><audio src="media/a.mp3"></audio></figure><figcaption>Both</figcaption></figure><audio src="media/b.mp3"></audio>',
    );
    expect(html).not.toContain("aria-label");
  });

  test("a film has its poster, its size and its captions, as far as they are ours", () => {
    const html = sanitise(
      '<video poster="media/a.webp" width="640" height="360"><source src="media/a.mp4" type="video/mp4">' +
        '<source src="https://cdn.example/a.webm"><track kind="captions" src="media/a.vtt" srclang="en" label="English" default>' +
        '<track src="https://cdn.example/a.vtt"><p>Your browser is old: <a href="media/a.mp4">a.mp4</a></p></video>',
    );
    expect(html).toBe(
      '<video controls preload="none" playsinline src="/dashboard/media/a.mp4" poster="/dashboard/media/a.webp" width="640" height="360">' +
        '<track kind="captions" srclang="en" label="English" src="/dashboard/media/a.vtt" /></video>',
    );
  });

  test.each([
    ["https://cdn.example/a.mp3", "its file is on another host, cdn.example; a link replaces it"],
    ["//cdn.example/a.mp3", "its file is on another host, cdn.example; a link replaces it"],
    ["/uploads/a.wma", "its file is of a kind that we can't use here; a link replaces it"],
  ])("for the file %s stands a link, and that is counted", (src, why) => {
    const { html, losses } = lost(`<audio src="${src}"></audio>`);
    const href = new URL(src, "https://cms.example").href;
    expect(html).toBe(
      `<a class="media-link" href="${href}" rel="noopener noreferrer">Listen to the recording at ${new URL(href).host}</a>`,
    );
    expect(losses).toEqual([{ what: "audio", why, count: 1 }]);
    expect(toText(`<p>Words</p>${html}`)).toBe("Words");
  });

  test.each(["", "data:audio/mpeg;base64,AAAA", "blob:https://cms.example/1", "javascript:alert(1)"])(
    "a player with the file %j goes with its figure, and is counted",
    (src) => {
      const { html, losses } = lost(`<p>a</p><figure><div>\n<video src="${src}"></video></div></figure>`);
      expect(html).toBe("<p>a</p>");
      expect(losses).toEqual([{ what: "video", why: "it doesn't name a file", count: 1 }]);
    },
  );

  test("what is lost of one kind for one reason is counted together", () => {
    const { losses } = lost('<iframe src="https://a.example/1"></iframe>'.repeat(3) + "<script></script>");
    expect(losses).toEqual([
      { what: "frame", why: "a.example is not embedded here", count: 3 },
      { what: "script", why: "scripts of a text never run here", count: 1 },
    ]);
  });

  test("a text with hundreds of reasons does not fill the report", () => {
    const { losses } = lost(
      Array.from({ length: 500 }, (_, at) => `<img src="https://h${at}.example/a.png">`).join(""),
    );
    expect(losses.length).toBe(51);
    expect(losses.reduce((sum, { count }) => sum + count, 0)).toBe(500);
  });
});

describe("what is lost with its element", () => {
  const count = (html: string) => {
    const losses: Losses = new Map();
    sanitiseBody(html, { basePath: "/", base: "https://cms.example/", site: "https://cms.example/", losses });
    return [...losses.values()].map(({ what, why }) => `${what}: ${why}`);
  };

  test("a picture that is a background, and a poster from elsewhere, are counted", () => {
    expect(count(`<div class="wp-block-group" style="background-image:url('/a.jpg')">a</div>`)).toEqual([
      "picture: it is only the background of a block",
    ]);
    expect(count('<video src="media/a.mp4" poster="https://cdn.example/a.jpg"></video>')).toEqual([
      "poster: its file is on another host, cdn.example",
    ]);
  });

  test("the paper of a table of long ago is counted", () => {
    expect(count('<table background="/paper.gif"><tr><td>a</td></tr></table>')).toEqual([
      "picture: it is only the background of a block",
    ]);
  });

  test.each(["<i class='fa fa-x'></i>", "<svg aria-hidden='true'></svg>", "<img src='https://x.example/a.png'>"])(
    "a link around %s has the name that screen readers say, or is counted",
    (icon) => {
      const isPicture = icon.startsWith("<img");
      expect(sanitise(`<a href="https://social.example/" aria-label="Mas&quot;todon">${icon}</a>`)).toBe(
        '<a aria-label="Mas&quot;todon" href="https://social.example/" rel="noopener noreferrer">Mas&quot;todon</a>',
      );
      expect(count(`<p>a <a href="https://social.example/">${icon}</a></p>`)).toEqual([
        ...(isPicture ? ["picture: its file is on another host, x.example"] : []),
        "link: nothing in it can be shown here",
      ]);
    },
  );

  test("a link from a picture to its own file is counted with it, and one to its heading is none", () => {
    expect(count('<a href="https://x.example/a.JPG"><img src="https://x.example/a-300.JPG"></a>')).toEqual([
      "picture: its file is on another host, x.example",
    ]);
    expect(count('<h2 id="a">Why<a class="anchor" href="#a"></a></h2>')).toEqual([]);
  });

  test("the way into the CMS is left out alone, whatever comes after it without an end", () => {
    const html = '<div class="wp-block-loginout"><a href="/wp-login.php">Log in</a><p>One <a href="/two">two</a></p>';
    expect(count(html)).toEqual(["log-in link: it is for the users of the CMS"]);
    expect(toText(sanitise(html))).toBe("One two");
  });

  test("a form without an end takes no headings with it", () => {
    expect(toText(sanitise("<form><label>a</label><h3><button>b</button></h3><button>c</button>"))).toBe("b");
  });

  test("what is nested too deep is counted, and what it says stays", () => {
    const deep = (html: string) => "<div>".repeat(45) + html + "</div>".repeat(45);
    expect(count(deep('<img src="media/a.webp"><a href="/b">b</a>'))).toEqual([
      "picture: it is nested more than 40 deep",
      "link: it is nested more than 40 deep",
    ]);
  });

  test("an element that no browser knows is counted", () => {
    expect(count('<amp-youtube data-videoid="x"></amp-youtube>')).toEqual(["amp-youtube: it only works with a script"]);
  });
});

describe("the heading of an accordion", () => {
  const plain = (html: string) => toText(sanitise(html));

  test.each([
    '<h3><button>Naps<span aria-hidden="true">+</span></button></h3>',
    '<details><summary>Naps <i class="faq__icon"> – </i></summary></details>',
    '<h3 class="title">Naps<span class="toggle-arrow">▼\ufe0e</span></h3>',
    "<h3>Naps<span aria-hidden=true>&gt;</span></h3>",
  ])("%s loses its sign", (html) => expect(plain(html)).toBe("Naps"));

  test.each([
    ['<summary><span aria-hidden="true">🌙</span> Naps</summary>', "🌙 Naps"],
    ['<summary>Naps<span aria-hidden="true">?</span></summary>', "Naps?"],
    ['<summary aria-hidden="true"><b>Short</b> <b>naps</b></summary>', "Short naps"],
    ["<summary>20<span>–</span>30 minutes</summary>", "20–30 minutes"],
    ['<p>Next<span aria-hidden="true">→</span></p>', "Next→"],
  ])("%s keeps all that it says", (html, text) => expect(plain(html)).toBe(text));
});

describe("what is left empty", () => {
  test.each([
    ["<figure><iframe src='https://evil.example/'></iframe></figure>", ""],
    ["<p><script>x</script></p><p>a</p><iframe src='https://evil.example/'></iframe>", "<p>a</p>"],
    ['<center><font color="red">Sleep <span>well</span></font></center>', "Sleep well"],
    ["<h2><img src='https://evil.example/a.png'></h2>", ""],
    ["<p><a href='https://x.example/'><img src='https://evil.example/a.png'></a></p>", ""],
    ["<div><div><br></div></div>a", "a"],
  ])("%s goes", (html, out) => expect(sanitise(html)).toBe(out));

  test.each(['<p id="text-here"></p>', "<p>\u00a0</p>", "<div><hr /></div>", "<ul><li>a</li><li></li></ul>"])(
    "%s stays, because a link may lead to it",
    (html) => expect(sanitise(html.replace("text-", ""))).toBe(html),
  );
});

test("a fold of one's own around a film keeps its words", () => {
  const html = sanitise(
    '<details><summary>My talk</summary><iframe src="https://youtu.be/M7lc1UVf-VE"></iframe></details>',
  );
  expect(html).toMatch(/^<details><summary>My talk<\/summary><details class="embed">/);
});

test("a text that was made safe before, by another Dormouse, comes out the same", () => {
  const once = sanitise(
    '<details><summary>Why?</summary><p>a</p></details><figure><iframe src="https://youtu.be/M7lc1UVf-VE"></iframe></figure>',
  );
  expect(sanitise(once)).toBe(once);
  expect(toText(once)).toBe("Why? a");
});

describe("the text of some HTML", () => {
  test.each([
    ["A &amp; B&#8217;s &quot;caf&eacute;&quot;", 'A & B’s "café"'],
    ["I <3 sleep", "I <3 sleep"],
    ["<p>One.</p><p>Two.</p>", "One. Two."],
    ["<h2>Why</h2>Because", "Why Because"],
    ["a<br>b<br/>c", "a b c"],
    ["<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>", "a b c"],
    ["<figure>a<figcaption>b</figcaption></figure>c", "a b c"],
    ["<blockquote>a</blockquote><div>b</div><section>c</section>d", "a b c d"],
    ["sl<em>ee</em>p", "sleep"],
    ["H<sub>2</sub>O", "H2O"],
    ["a<script>alert(1)</script><style>p{}</style>b", "ab"],
    ["<!-- hidden -->shown", "shown"],
    ["", ""],
    ["<dl><dt>a</dt><dd>b</dd></dl>", "a b"],
    [
      'a medicine<sup><a href="#text-note-2" id="text-note-ref-2">2</a></sup> to ask about, H<sub>2</sub>O',
      "a medicine to ask about, H2O",
    ],
    ['a<details class="embed"><summary>Play the video from YouTube</summary></details>b', "a b"],
  ])("%j reads %j", (html, text) => expect(toText(html)).toBe(text));
});
