import { ORIGIN } from "./wordpress-items.ts";

export const UPLOADS = `${ORIGIN}/wp-content/uploads`;

/** As readers see it at WordPress. */
export type Piece = {
  kind: "text" | "picture" | "film" | "sound" | "link" | "place" | "value";
  /** One of these must be in our item: a word, a part of an address, a file's address under a name of ours. */
  marks: string[];
  /** Losses that may be counted instead; a text without any must be there. */
  lossNames: string[];
  /** Pieces of one group are lost together, and counted once. */
  group: number;
};

type Kind = Piece["kind"];

/** By the kind of a piece that cannot be shown. */
const lossNames: Record<Kind, string[]> = {
  text: [],
  picture: ["picture"],
  film: ["video", "frame", "object"],
  sound: ["audio", "frame"],
  link: ["link", "button"],
  place: ["link"],
  value: [],
};

/** From 0 to 1 by seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Writes the parts of a post as WordPress and its plug-ins do, and lists what a reader sees of them. */
export class PostWriter {
  pieces: Piece[] = [];
  /** `/media` knows these by number. */
  attachments: { id: number; source_url: string }[] = [];
  readonly seed: number;
  #random: () => number;
  #count = 0;
  #depth = 0;
  #within: { lossNames: string[]; group: number } | undefined;

  constructor(seed: number) {
    this.seed = seed;
    this.#random = createRandom(seed);
  }

  nat(max: number): number {
    return Math.floor(this.#random() * (max + 1));
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.nat(values.length - 1)] as Value;
  }

  /** No name is part of another. */
  name(letter: string): string {
    this.#count += 1;
    return `${letter}${this.#count}z`;
  }

  number(): number {
    this.#count += 1;
    return 70_000_000 + this.seed * 1000 + this.#count;
  }

  note(kind: Kind, marks: string[], also: string[] = []): void {
    const names = [...also, ...lossNames[kind]];
    const group = { lossNames: names, group: this.pieces.length, ...this.#within };
    this.pieces.push({ kind, marks, ...group });
  }

  /** Text written meanwhile may be lost whole, if it is counted as one of these. */
  within(names: string[], write: () => string): string {
    const before = this.#within;
    this.#within ??= { lossNames: names, group: this.pieces.length };
    const html = write();
    this.#within = before;
    return html;
  }

  /** No reader sees text that is written meanwhile. */
  unseen(write: () => string): string {
    const { length } = this.pieces;
    const html = write();
    this.pieces.length = length;
    return html;
  }

  word(): string {
    const word = this.name("w");
    this.note("text", [word]);
    return this.pick([
      word,
      word,
      word,
      `“${word}”`,
      `${word}&nbsp;&amp;&#8217;s`,
      `a < ${word} &lt;b> c`,
      `&copy ${word}; 5 <3`,
      `<!-- > -->\r\n\u00ad${word}<? x ?>`,
      `[${word}]`,
    ]);
  }

  /** A paragraph's words, and what editors put between them. */
  inline(): string {
    this.#depth += 1;
    const make = () => (this.#depth > 3 || this.chance(0.5) ? this.word() : this.pick(inlineMakers)(this));
    const parts = Array.from({ length: 1 + this.nat(1) }, make);
    this.#depth -= 1;
    return parts.join(" ");
  }

  link(inside: () => string): string {
    const address = this.pick([
      () => this.#seenLink(`https://out.example/${this.name("l")}?a=1&amp;b=2`, ""),
      () => this.#seenLink(`/${this.name("l")}/`, ""),
      () => this.#seenLink(`${ORIGIN}/${this.name("l")}/#top`, ""),
      () => this.#seenLink(`mailto:${this.name("l")}@out.example`, ""),
      () => this.#seenLink(`//out.example/${this.name("l")}`, ""),
      () => this.#seenLink(`  http://out.example/${this.name("l")}\n`, ""),
      () => this.#seenLink(`/?p=${ITEM_ID}`, `item=${ITEM_ID}`),
      () => this.#seenLink("javascript:open()", "never"),
      () => this.#seenLink(`#${this.name("gone")}`, "never"),
      () => this.#seenLink("#", "never"),
    ])();
    const attribute = /[\s"'=<>`]/.test(address)
      ? `href="${address}"`
      : this.pick([`href=${address}`, `HREF='${address}'`]);
    const rest = this.pick([
      "",
      ' target="_blank" rel="noreferrer"',
      " class='x > y'",
      ' href="https://second.example/"',
    ]);
    return `<a ${attribute}${rest}>${inside()}</a>`;
  }

  #seenLink(address: string, mark: string): string {
    const [name = address] = /l\d+z/.exec(address) ?? [];
    this.note("link", [mark || name]);
    return address;
  }

  /** In one of the ways that pictures are written. */
  picture(attributes = 'alt=""'): string {
    const ending = this.pick(["jpg", "JPEG", "png", "webp", "gif", "avif", "svg"]);
    const name = this.name("p");
    const path = `/wp-content/uploads/${name}`;
    const large = `${ORIGIN}${path}.${ending}`;
    const small = `${ORIGIN}${path}-300x200.${ending}`;
    const blank = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
    const seen = (html: string) => {
      this.note("picture", [large, small]);
      return html;
    };
    const lost = (html: string) => {
      this.note("picture", []);
      return html;
    };
    return this.pick([
      () => seen(`<img src="${large}" ${attributes} />`),
      () => seen(`<IMG SRC='${path}.${ending}' ${attributes} width=300>`),
      () => seen(`<img ${attributes} src=${large}>`),
      () => seen(`<img src="${small}" srcset="${small} 300w, ${large} 1600w" sizes="100vw" ${attributes}>`),
      () => seen(`<img ${attributes} src="${blank}" data-lazy-src="${large}" class="lazy">`),
      () => seen(`<img ${attributes} src="" data-src="${large}"><noscript><img src="${large}"></noscript>`),
      () =>
        seen(
          `<picture><source srcset="${ORIGIN}${path}.webp" type="image/webp"><img src="${large}" ${attributes}></picture>`,
        ),
      () => lost(`<img src="https://cdn.example/${name}.jpg" ${attributes}>`),
      () => lost(`<img src="//cdn.example/${name}.jpg" data-src="">`),
      () => lost(`<img src="${path}.bmp" ${attributes}>`),
      () => lost(`<img src="media/${name}.tiff" ${attributes}>`),
      () => lost(`<img src="${blank}" ${attributes}>`),
      () => lost(`<div style="background-image:url('${large}')">${this.word()}</div>`),
    ])();
  }

  film(): string {
    const file = this.name("v");
    const [youtube, vimeo] = [`${this.name("y")}xxxxxxxxxxx`.slice(0, 11), String(this.number())];
    const seen = (mark: string, html: string) => {
      this.note("film", [mark]);
      return html;
    };
    const own = (ending: string) => `${UPLOADS}/${file}.${ending}`;
    const frame = (attributes: string) => `<iframe title="A film" ${attributes} allowfullscreen></iframe>`;
    return this.pick([
      () => seen(youtube, frame(`src="https://www.youtube.com/embed/${youtube}?feature=oembed"`)),
      () => seen(youtube, frame(`src="about:blank" data-src-cmplz="https://www.youtube.com/embed/${youtube}"`)),
      () =>
        seen(youtube, frame(`data-cookieblock-src=//www.youtube-nocookie.com/embed/${youtube} data-cookieconsent="m"`)),
      () => seen(vimeo, frame(`src='https://player.vimeo.com/video/${vimeo}?dnt=1&amp;app_id=1'`)),
      () => seen(vimeo, frame(`src="" data-lazy-src="https://player.vimeo.com/video/${vimeo}"`)),
      () => seen(vimeo, frame(`src="https://vimeo.com/event/${vimeo}/embed"`)),
      () => seen(file, frame(`src="https://films.example/${file}"`)),
      () => seen(file, frame(`srcdoc="<p>${file}</p>"`)),
      () =>
        seen(
          youtube,
          `<object width="425"><param name="movie" value="https://www.youtube.com/v/${youtube}"><embed src="https://www.youtube.com/v/${youtube}"></object>`,
        ),
      () => seen(own("mp4"), `<video controls src="${own("mp4")}"></video>`),
      () =>
        seen(
          own("m4v"),
          `<video controls><source type="video/mp4" src=${own("m4v")}><a href="${own("m4v")}">Download</a></video>`,
        ),
      () => seen(file, `<video controls src="https://cdn.example/${file}.mp4"></video>`),
      () => seen(file, `<video controls src="${own("mov")}"></video>`),
      () => seen(file, `<video src="media/${file}.mov"></video>`),
      () => seen(file, `<video controls></video>`),
    ])();
  }

  sound(): string {
    const file = this.name("s");
    const ending = this.pick(["mp3", "M4A", "ogg", "wav", "flac", "opus"]);
    const own = `${UPLOADS}/${file}.${ending}`;
    const seen = (mark: string, html: string) => {
      this.note("sound", [mark]);
      return html;
    };
    return this.pick([
      () => seen(own, `<audio controls src="${own}"></audio>`),
      () =>
        seen(
          own,
          `<audio controls="controls"><source type="audio/mpeg" src="${own}" /><a href="${own}">${own}</a></audio>`,
        ),
      () => seen(file, `<audio controls src="https://cdn.example/${file}.mp3?a=1&amp;b=2"></audio>`),
      () => seen(file, `<audio controls src="/wp-content/uploads/${file}.wma"></audio>`),
      () => seen(file, '<audio controls src=""></audio>'),
      () => seen(file, `<iframe src="https://open.spotify.com/embed/track/${file}"></iframe>`),
    ])();
  }
}

/** Links of the other posts lead to it. */
export const ITEM_ID = 9_000_001;

const wrap = (start: string, end: string) => (writer: PostWriter) => `${start}${writer.inline()}${end}`;

const inlineMakers: ((writer: PostWriter) => string)[] = [
  (writer) => writer.link(() => writer.inline()),
  (writer) => writer.link(() => writer.word()),
  (writer) => writer.picture('class="wp-image-7" style="width:20px"'),
  wrap("<strong>", "</strong>"),
  wrap("<EM class=x>", "</EM>"),
  wrap('<span style="color:red" class="has-inline-color">', "</span>"),
  wrap('<mark style="background-color:#fff">', "</mark>"),
  wrap('<font face="Arial">', "</font>"),
  wrap("<sub>", "</sub>"),
  wrap("<q>", "</q>"),
  wrap("<marquee><nobr>", "</nobr></marquee>"),
  wrap("<output><samp>", "</samp></output>"),
  wrap("<dialog open>", "</dialog>"),
  wrap("<o:p>", "</o:p>"),
  (writer) => `<xmp>${writer.word()}</xmp>`,
  wrap('<data value="1"><dfn>', "</dfn></data>"),
  wrap('<bdo dir="rtl">', "</bdo>"),
  wrap('<abbr title="a > b">', "</abbr>"),
  wrap("<ruby>眠<rt>", "</rt></ruby>"),
  wrap("<label>", "</label>"),
  wrap("<blink><u><tt>", "</tt></u></blink>"),
  (writer) => `${writer.word()}<br />${writer.word()}<!-- ${writer.unseen(() => writer.word())} -->`,
  (writer) => `<button>${writer.word()}</button>`,
  // A reader takes it for an icon, which it is not.
  (writer) => writer.link(() => '<i class="fab fa-mastodon"></i>'),
  (writer) => writer.link(() => '<svg aria-hidden="true" viewBox="0 0 24 24"><path d="M1"/></svg>'),
];
