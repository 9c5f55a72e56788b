import { type PostWriter, UPLOADS } from "./wordpress-post-writer.ts";

/** `inner` writes blocks into it. */
type BlockMaker = (writer: PostWriter, inner: () => string) => string;

const times = (count: number, make: () => string) => Array.from({ length: count }, make).join("\n");
const figure = (name: string, html: string, writer: PostWriter) => {
  const caption = writer.chance(0.5) ? `<figcaption class="wp-element-caption">${writer.inline()}</figcaption>` : "";
  return `<figure class="wp-block-${name}">${html}${caption}</figure>`;
};

/** The ids of headings and table-of-contents plug-ins, and how links spell them. */
const places: [id: string, fragment: string][] = [
  ["What_is_sleep?", "What_is_sleep%3F"],
  ["its-what’s-next", "its-what%E2%80%99s-next"],
  ["müde-augen", "m%C3%BCde-augen"],
  ["(2)-[b]", "(2)-[b]"],
  ["a b", "a%20b"],
];

/** Elements that may be link targets, the most usual first. */
const anchors: ((id: string, words: string) => string)[] = [
  (id, words) => `<h2 id="${id}">${words}</h2>`,
  (id, words) => `<h3><span class="ez-toc-section" id="${id}"></span>${words}</h3>`,
  (id, words) => `<p><a name="${id}"></a>${words}</p>`,
  (id, words) => `<nav id="${id}">${words}</nav>`,
];

/** WordPress's core blocks by name, markup of older articles, and of plug-ins. */
const blockMakers: Record<string, BlockMaker> = {
  paragraph: (writer) => `<p class="has-drop-cap" style="line-height:1.4">${writer.inline()}</p>`,
  heading: (writer) => {
    const name = writer.pick(["h1", "h2", "h3", "H4", "h6"]);
    return `<${name} class="wp-block-heading">${writer.inline()}</${name}>`;
  },
  list: (writer, inner) =>
    `<ul class="wp-block-list"><li>${writer.inline()}${inner()}</li><li>${writer.word()}</li></ul>`,
  "ordered list": (writer) => `<ol start="3" reversed><li>${writer.inline()}<li>${writer.inline()}</ol>`,
  quote: (writer, inner) =>
    `<blockquote class="wp-block-quote" cite="https://q.example">${inner()}<cite>${writer.inline()}</cite></blockquote>`,
  pullquote: (writer) =>
    `<figure class="wp-block-pullquote"><blockquote><p>${writer.inline()}</p><cite>${writer.inline()}</cite></blockquote></figure>`,
  table: (writer, inner) =>
    figure(
      "table",
      `<table class="has-fixed-layout"><thead><tr><th data-align="left">${writer.inline()}</th></tr></thead><tbody><tr><td>${inner()}</td></tr><tr><td>${writer.inline()}</td></tr></tbody></table>`,
      writer,
    ),
  math: (writer) => {
    const unseen = writer.unseen(() => writer.word());
    return `<div class="wp-block-math"><math display="block"><semantics><mrow><mtext>${writer.word()}</mtext></mrow><annotation encoding="application/x-tex">${unseen}</annotation></semantics></math></div>`;
  },
  code: (writer) => `<pre class="wp-block-code"><code>if (${writer.word()}) [a_b c="d"]</code></pre>`,
  preformatted: (writer) => `<pre class="wp-block-preformatted">${writer.inline()}\n  ${writer.word()}</pre>`,
  verse: (writer) => `<pre class="wp-block-verse">${writer.inline()}</pre>`,
  details: (writer, inner) =>
    `<details class="wp-block-details"><summary>${writer.inline()}</summary>${inner()}</details>`,
  accordion: (writer, inner) =>
    `<div role="group" class="wp-block-accordion"><div class="wp-block-accordion-item"><h3 class="wp-block-accordion-heading"><button type="button" class="wp-block-accordion-heading__toggle"><span class="wp-block-accordion-heading__toggle-title">${writer.inline()}</span><span class="wp-block-accordion-heading__toggle-icon" aria-hidden="true">+</span></button></h3><div role="region" class="wp-block-accordion-panel">${inner()}</div></div></div>`,
  "accordion of a plug-in": (writer, inner) => {
    const sign = writer.pick(["+", "▼", "›", "–"]);
    const icon = writer.pick([`<span class="toggle-icon">${sign}</span>`, `<i aria-hidden="true">${sign}</i>`, ""]);
    const name = writer.pick(["summary", "button", "h3"]);
    return `<details><${name}>${writer.word()} <span aria-hidden="true">${writer.word()}</span>${icon}</${name}>${inner()}</details>`;
  },
  tabs: (writer, inner) =>
    `<div class="wp-block-tabs"><div role="tablist"><button role="tab">${writer.word()}</button></div><section role="tabpanel" hidden>${inner()}</section></div>`,
  footnotes: (writer) => {
    const id = writer.name("f");
    return `<p>${writer.word()}<sup data-fn="${id}" class="fn"><a href="#${id}" id="${id}-link">1</a></sup></p><ol class="wp-block-footnotes"><li id="${id}">${writer.inline()} <a href="#${id}-link">↩︎</a></li></ol>`;
  },
  contents: (writer) => {
    const [id, fragment] = writer.pick(places);
    const [own, to] = [`${id}${writer.seed}`, `${writer.chance(0.5) ? fragment : id}${writer.seed}`];
    const title = writer.word();
    const words = writer.name("t");
    writer.note("place", [words]);
    return `<div class="toc"><p>${title}</p><nav><ul><li><a href="#${to}">${words}</a></li></ul></nav></div>${writer.pick(anchors)(own, writer.inline())}`;
  },
  separator: () => '<hr class="wp-block-separator"/>',
  spacer: () => '<div style="height:60px" aria-hidden="true" class="wp-block-spacer"></div>',
  more: (writer) => `<p>${writer.word()}</p><!--nextpage--><span id="more-7"></span><p>${writer.inline()}</p>`,
  columns: (_, inner) =>
    `<div class="wp-block-columns"><div class="wp-block-column">${inner()}</div><div class="wp-block-column">${inner()}</div></div>`,
  group: (writer, inner) => {
    const name = writer.pick(["div", "section", "main", "header", "aside", "article", "footer"]);
    return `<${name} class="wp-block-group is-layout-constrained" id="g${writer.seed}">${inner()}</${name}>`;
  },
  image: (writer) => {
    const isLinked = writer.chance(0.5);
    return figure("image", isLinked ? writer.link(() => writer.picture()) : writer.picture(), writer);
  },
  "image linked to its file": (writer) =>
    writer.within(["picture"], () => {
      const name = writer.name("p");
      writer.note("picture", []);
      writer.note("link", ["never"]);
      return `<a href="https://cdn.example/${name}.jpg"><img src="https://cdn.example/${name}-300x200.jpg" alt=""></a>`;
    }),
  gallery: (writer) =>
    figure(
      "gallery",
      times(2, () => figure("image", writer.picture(), writer)),
      writer,
    ),
  "old gallery": (writer) =>
    `<div id="gallery-1" class="gallery"><dl class="gallery-item"><dt class="gallery-icon">${writer.link(() => writer.picture())}</dt><dd class="wp-caption-text">${writer.inline()}</dd></dl><br style="clear: both"></div>`,
  caption: (writer) =>
    `<div class="wp-caption alignleft">${writer.picture()}<p class="wp-caption-text">${writer.inline()}</p></div>`,
  cover: (writer, inner) =>
    `<div class="wp-block-cover">${writer.picture('class="wp-block-cover__image-background" alt=""')}<span aria-hidden="true" class="wp-block-cover__background"></span><div class="wp-block-cover__inner-container">${inner()}</div></div>`,
  "cover with a fixed background": (writer, inner) => {
    writer.note("picture", []);
    return `<div class="wp-block-cover has-parallax"><div role="img" class="wp-block-cover__image-background" style="background-image:url(${UPLOADS}/night.jpg)"></div>${inner()}</div>`;
  },
  "media and text": (writer, inner) =>
    `<div class="wp-block-media-text"><figure class="wp-block-media-text__media">${writer.chance(0.5) ? writer.picture() : writer.film()}</figure><div class="wp-block-media-text__content">${inner()}</div></div>`,
  audio: (writer) => figure("audio", writer.sound(), writer),
  video: (writer) => figure("video", writer.film(), writer),
  "video with a poster": (writer) => {
    const name = writer.name("v");
    const isOurs = writer.chance(0.5);
    const poster = `${isOurs ? UPLOADS : "https://cdn.example"}/${name}.jpg`;
    writer.within(["poster", "video"], () => {
      writer.note("film", [`${UPLOADS}/${name}.webm`]);
      writer.note("picture", isOurs ? [poster] : []);
      return "";
    });
    return `<figure class="wp-block-video"><video controls poster="${poster}" src="${UPLOADS}/${name}.webm"><track src="${UPLOADS}/${name}.vtt" kind="captions"></video></figure>`;
  },
  playlist: (writer) =>
    writer.within(["audio", "script"], () => {
      const name = writer.name("s");
      writer.note("sound", [name]);
      return `<div class="wp-playlist wp-audio-playlist"><audio controls preload="none" width="640"></audio><noscript><ol><li><a href="${UPLOADS}/${name}.mp3">${name}</a></li></ol></noscript><script type="application/json" class="wp-playlist-script">{"tracks":["${name}"]}</script></div>`;
    }),
  file: (writer) => {
    const name = writer.name("l");
    writer.note("link", [name]);
    return `<div class="wp-block-file"><object class="wp-block-file__embed" data="${UPLOADS}/${name}.pdf" type="application/pdf"></object><a href="${UPLOADS}/${name}.pdf">${writer.word()}</a><a href="${UPLOADS}/${name}.pdf" class="wp-block-file__button" download>${writer.word()}</a></div>`;
  },
  buttons: (writer) => {
    const button = writer.link(() => writer.word()).replace(/^<a /, '<a class="wp-block-button__link" ');
    return `<div class="wp-block-buttons"><div class="wp-block-button">${button}</div></div>`;
  },
  embed: (writer) =>
    figure(
      "embed",
      `<div class="wp-block-embed__wrapper">\n${writer.chance(0.7) ? writer.film() : writer.sound()}\n</div>`,
      writer,
    ),
  "embed without an answer": (writer) => {
    const name = writer.name("l");
    writer.note("text", [name]);
    return `<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://talks.example/${name}?a=1&amp;b=2\n</div></figure>`;
  },
  "embed of another page": (writer) =>
    `<figure class="wp-block-embed"><div class="wp-block-embed__wrapper"><blockquote class="wp-embedded-content">${writer.link(() => writer.word())}</blockquote><iframe class="wp-embedded-content" sandbox="allow-scripts" src="/a/embed/#?secret=x"></iframe></div></figure>`,
  "post of another service": (writer) =>
    `<blockquote class="twitter-tweet"><p lang="en" dir="ltr">${writer.inline()}</p>&mdash; ${writer.word()} ${writer.link(() => writer.word())}</blockquote><script async src="https://platform.x.example/widgets.js"></script>`,
  html: (writer, inner) =>
    `<div class="calc"><style>.calc{color:red}</style><center>${writer.inline()}</center><script>draw("${writer.unseen(() => writer.word())}")</script>${inner()}</div>`,
  "details with a film of one's own": (writer) =>
    `<details><summary>${writer.word()}</summary>${writer.film()}</details>`,
  drawing: (writer) =>
    writer.within(["drawing"], () => `<svg viewBox="0 0 9 9"><title>x</title><text>${writer.word()}</text></svg>`),
  element: (writer) =>
    `<amp-accordion><section><h4>${writer.word()}</h4><p>${writer.inline()}</p></section></amp-accordion>`,
  "image map": (writer) =>
    writer.within(["image map"], () => {
      writer.note("link", ["never"]);
      return `<map name="m"><area shape="rect" coords="0,0,9,9" href="https://out.example/a"></map>`;
    }),
  form: (writer) =>
    writer.within(
      ["form"],
      () =>
        `<form action="/#f" method="post"><fieldset><legend>${writer.word()}</legend><p><label>${writer.word()}<input name="a"></label></p><select><option>${writer.word()}</option></select><textarea>${writer.word()}</textarea><button>${writer.word()}</button></fieldset></form>`,
    ),
  search: (writer) =>
    writer.within(
      ["form"],
      () =>
        `<form role="search" class="wp-block-search"><label for="s1">${writer.word()}</label><input type="search" name="s" id="s1"/><button aria-label="Search"><svg viewBox="0 0 24 24"><path d="M13 5"></path></svg></button></form>`,
    ),
  "archives as a list to choose from": (writer) =>
    writer.within(
      ["form field"],
      () =>
        `<div class="wp-block-archives-dropdown"><select><option value="">${writer.word()}</option><option>${writer.word()}</option></select></div>`,
    ),
  "latest posts": (writer) =>
    `<ul class="wp-block-latest-posts__list"><li>${writer.link(() => writer.word())}<time datetime="2025-05-31">${writer.word()}</time><div>${writer.inline()}</div></li></ul>`,
  "latest comments": (writer) =>
    `<ol class="wp-block-latest-comments"><li><article>${writer.picture('class="avatar"')}<footer>${writer.link(() => writer.word())} on ${writer.word()}</footer><p>${writer.inline()}</p></article></li></ol>`,
  calendar: (writer) =>
    `<div class="wp-block-calendar"><table id="wp-calendar"><caption>${writer.word()}</caption><thead><tr><th scope="col">M</th></tr></thead><tbody><tr><td colspan="3" class="pad">&nbsp;</td><td>${writer.link(() => writer.word())}</td></tr></tbody></table><nav>${writer.link(() => writer.word())}</nav></div>`,
  "tag cloud": (writer) => `<p class="wp-block-tag-cloud">${times(2, () => writer.link(() => writer.word()))}</p>`,
  "query loop": (writer) =>
    `<div class="wp-block-query"><ul class="wp-block-post-template"><li class="wp-block-post"><figure class="wp-block-post-featured-image">${writer.link(() => writer.picture())}</figure><h3>${writer.link(() => writer.word())}</h3><div class="wp-block-post-excerpt"><p>${writer.inline()}</p></div><div class="wp-block-post-date"><time datetime="2025-05-31">${writer.word()}</time></div></li></ul></div>`,
  "social links": (writer) =>
    `<ul class="wp-block-social-links"><li class="wp-social-link">${writer.link(() => `<svg aria-hidden="true"><path d="M23"></path></svg><span class="screen-reader-text">${writer.word()}</span>`)}</li></ul>`,
  "log-in": (writer) =>
    writer.within(["log-in link"], () => {
      writer.note("link", ["never"]);
      return `<div class="logged-out wp-block-loginout"><a href="/wp-login.php">${writer.word()}</a></div>`;
    }),
  shortcode: (writer) => `<p>[contact_form id="7"] [gallery]${writer.word()}[/gallery]</p>`,
  classic: (writer) =>
    `${writer.inline()}<br />\n${writer.inline()}\n\n<div align=center><big>${writer.inline()}</big></div>\n<p>&nbsp;</p>`,
  "definitions and figures": (writer) =>
    `<dl><dt>${writer.inline()}<dd>${writer.inline()}</dl><hr><address>${writer.inline()}</address>`,
  "a table of long ago": (writer) => {
    writer.note("picture", []);
    return `<table border=1 background="https://cdn.example/paper.gif"><tr><td>${writer.inline()}<td nowrap>${writer.inline()}</table>`;
  },
};

/** Nested, some deeper than people write, with faults that a browser overlooks. */
export function writeBlocks(writer: PostWriter, names: string[]): string {
  const write = (name: string, depth: number): string => {
    const inner = () =>
      depth < 3 ? times(1 + writer.nat(1), () => write(writer.pick(blockNames), depth + 1)) : writer.inline();
    return blockMakers[name]?.(writer, inner) ?? "";
  };
  return names
    .map((name) => {
      const html = damage(writer, write(name, 0));
      return writer.chance(0.05) ? "<div>".repeat(45) + html + "</div>".repeat(45) : html;
    })
    .join("\n");
}

export const blockNames = Object.keys(blockMakers);

/** Without these end tags a browser still shows the same. */
const needlessEnds =
  /<\/(?:p|div|li|ul|td|tr|table|h[1-6]|figure|figcaption|blockquote|strong|em|span|a|mark|sub|section|details|summary|button|label)>/gi;

function damage(writer: PostWriter, html: string): string {
  const ends = [...html.matchAll(needlessEnds)];
  const end = ends.length > 0 ? writer.pick(ends) : undefined;
  const cut = (from: number, length: number, text: string) => html.slice(0, from) + text + html.slice(from + length);
  return writer.pick([
    () => html,
    () => html,
    () => html,
    () => (end ? cut(end.index, end[0].length, "") : html),
    () => (end ? cut(end.index, 0, writer.pick(["</b>", "</div>", "</p>", "<!-- -->", "</x>", "<p>", "<b>"])) : html),
    () => (end ? cut(end.index, end[0].length, `${end[0]}${end[0]}`) : html),
  ])();
}
