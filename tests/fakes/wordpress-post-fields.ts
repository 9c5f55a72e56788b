import { blockNames, writeBlocks } from "./wordpress-post-blocks.ts";
import { ITEM_ID, type PostWriter, UPLOADS } from "./wordpress-post-writer.ts";
import { type FakeItem, type FakeList, fakeLists, ORIGIN } from "./wordpress-items.ts";

type Acf = Record<string, unknown>;

/** In one of ACF's forms, or one that ACF does not use. */
function giveFile(
  writer: PostWriter,
  { field, ending, kind }: { field: string; ending: string; kind: "film" | "sound" | "value" },
): unknown {
  const name = writer.name("d");
  const address = `${UPLOADS}/${name}.${ending}`;
  const foreign = `https://cdn.example/${name}.${ending}`;
  const id = writer.number();
  const seen = (given: unknown) => {
    writer.note(kind, [address, name], [`field ${field}`]);
    return given;
  };
  const upload = () => {
    writer.attachments.push({ id, source_url: address });
    return id;
  };
  return writer.pick([
    () => seen(address),
    () => seen(` ${address.replace(ORIGIN, "")} `),
    () => seen(upload()),
    () => seen(String(upload())),
    () => seen([upload()]),
    () =>
      seen({ ID: id, id, url: address, filename: `${name}.${ending}`, link: `${ORIGIN}/${name}/`, mime_type: "x/y" }),
    () => seen({ ID: upload(), guid: `${ORIGIN}/${name}/` }),
    () => seen({ value: address }),
    () => seen(foreign),
    () => seen([foreign, address]),
    () => seen(`${UPLOADS}/${name}.zip`),
    () => seen(writer.number()),
    () => seen({ title: name }),
    () => seen(name),
    () => seen(true),
    () => writer.pick([undefined, null, false, "", "  ", [], {}, 0]),
  ])();
}

/** A film on Vimeo or YouTube, by all of its addresses. */
function giveHosted(writer: PostWriter, field: "vimeo_url" | "youtube_url"): unknown {
  const isVimeo = field === "vimeo_url";
  const id = isVimeo ? String(writer.number()) : `${writer.name("y")}xxxxxxxxxxx`.slice(0, 11);
  const addresses = isVimeo
    ? `https://vimeo.com/ID vimeo.com/ID ID //player.vimeo.com/video/ID?h=abcdef https://vimeo.com/channels/x/ID
       https://vimeo.com/groups/x/videos/ID https://vimeo.com/album/2/video/ID https://vimeo.com/showcase/2/video/ID
       https://vimeo.com/ondemand/x/ID https://vimeo.com/manage/videos/ID http://vimeo.com/event/ID#t=90s`
    : `https://www.youtube.com/watch?v=ID youtu.be/ID/ https://youtu.be/ID?t=90 //www.youtube.com/embed/ID
       https://www.youtube.com/e/ID https://www.youtube.com/clip/ID https://www.youtube.com/playlist?list=ID
       https://www.youtube.com/embed/videoseries?list=ID https://www.youtube.com/watch?app=desktop&amp;v=ID&start=30 ID`;
  const address = writer.pick(addresses.trim().split(/\s+/)).replace("ID", id);
  writer.note("film", [id], [`field ${field}`]);
  return writer.pick([
    () => address,
    () => address,
    () => [address],
    () => ({ url: address }),
    () =>
      `<iframe width="640" src="${address.startsWith(id) ? `https://youtu.be/${id}` : address}" frameborder="0"></iframe>`,
    () => `[embed]https://${isVimeo ? "vimeo.com" : "youtu.be"}/${id}[/embed]`,
    () => ({ title: id }),
    () => `No film yet: ${id}`,
  ])();
}

/** One of several addresses of a film is enough. */
function giveFilm(writer: PostWriter): Acf {
  const fields = ["vimeo_url", "youtube_url", "video_url"] as const;
  const field = writer.pick(fields);
  const given =
    field === "video_url" ? giveFile(writer, { field, ending: "mp4", kind: "film" }) : giveHosted(writer, field);
  return {
    video_network: writer.pick([undefined, "vimeo", { value: "youtube", label: "YouTube" }]),
    [field]: given,
    ...(writer.chance(0.3) && {
      captions_url: giveFile(writer, { field: "captions_url", ending: "vtt", kind: "value" }),
    }),
    ...(writer.chance(0.3) && { webm_url: giveFile(writer, { field: "webm_url", ending: "webm", kind: "value" }) }),
  };
}

function giveSound(writer: PostWriter): Acf {
  return {
    audio_url: giveFile(writer, { field: "audio_url", ending: writer.pick(["mp3", "ogg"]), kind: "sound" }),
    ...(writer.chance(0.5) && { m4a_url: giveFile(writer, { field: "m4a_url", ending: "m4a", kind: "value" }) }),
  };
}

function giveTranscript(writer: PostWriter): unknown {
  const html = writer.pick([
    () => `${writer.inline()}\r\n\r\n<em>${writer.word()}</em>\r\n${writer.word()}`,
    () => writeBlocks(writer, [writer.pick(blockNames)]),
    () => writer.sound(),
    () => `<p>&nbsp;</p>`,
  ])();
  return writer.pick([html, { rendered: html }, { value: html }]);
}

function giveText(writer: PostWriter, field: string): unknown {
  const word = writer.name("w");
  writer.note("text", [word], [`field ${field}`]);
  return writer.pick([`${word} & more`, { value: word }, [word], `<b>${word}</b>`, { title: { of: word } }]);
}

/** A value that is read; `mark`: its form in our item. */
function giveValue(writer: PostWriter, field: string, values: [given: unknown, mark: string | undefined][]): unknown {
  const [given, mark] = writer.pick(values);
  writer.note("value", mark === undefined ? [] : [mark], [`field ${field}`]);
  return given;
}

/** `undefined`: it is counted as lost. */
const values: Record<string, [unknown, string | undefined][]> = {
  reviewed: [
    ["20261116", "2026-11-16"],
    ["16/11/2026", "2026-11-16"],
    ["November 16, 2026", "2026-11-16"],
    [{ date: "2026-11-16 00:00:00" }, "2026-11-16"],
    ["soon", undefined],
    [7, undefined],
  ],
  video_duration: [
    ["12:31", "751"],
    [751, "751"],
    ["PT12M31S", "751"],
    ["long", undefined],
  ],
  audio_duration: [
    ["12:32", "752"],
    ["long", undefined],
  ],
  play_minutes: [
    ["47", "47"],
    ["for ever", undefined],
  ],
  breathe_in: [
    ["4.25", "4.25"],
    ["slowly", undefined],
  ],
  orientation: [["upside down", undefined]],
};

function giveCover(writer: PostWriter): Partial<FakeItem> {
  const name = writer.name("p");
  const address = `${UPLOADS}/${name}.jpg`;
  const id = writer.number();
  const give = (source_url: string, mark?: string) => {
    writer.note("picture", mark ? [mark] : []);
    return { featured_media: id, _embedded: { "wp:featuredmedia": [{ id, source_url, alt_text: "" }] } };
  };
  const giveNumber = (embedded: unknown) => {
    writer.note("picture", writer.attachments.some((each) => each.id === id) ? [address] : []);
    return { featured_media: id, _embedded: { "wp:featuredmedia": embedded } };
  };
  return writer.pick([
    () => give(address, address),
    () => give(`https://cdn.example/${name}.jpg`),
    () => give(`${UPLOADS}/${name}.heic`),
    () => give(`media/${name}.tiff`),
    () => {
      writer.attachments.push({ id, source_url: address });
      return giveNumber(undefined);
    },
    () => giveNumber([{ code: "rest_forbidden", data: { status: 401 } }]),
    () => giveNumber([]),
    () => ({ featured_media: 0, _embedded: {} }),
  ])();
}

/** One named block and others, fields, a cover, and the rest of a post. */
export function writePost(writer: PostWriter, blockName: string): { list: FakeList; item: FakeItem } {
  const { seed } = writer;
  const content = writeBlocks(writer, [
    blockName,
    ...Array.from({ length: writer.nat(2) }, () => writer.pick(blockNames)),
  ]);
  const acf: Acf = {
    ...(writer.chance(0.4) && giveFilm(writer)),
    ...(writer.chance(0.3) && giveSound(writer)),
    ...(writer.chance(0.3) && { transcript: giveTranscript(writer) }),
    ...(writer.chance(0.3) && { sample_note: giveText(writer, "sample_note") }),
    ...(writer.chance(0.3) && { start_here_why: giveText(writer, "start_here_why") }),
    start_here_order: writer.pick(["", "3", null]),
    ...(writer.chance(0.3) && { night_why: giveText(writer, "night_why") }),
  };
  for (const [name, given] of Object.entries(values))
    if (writer.chance(0.2)) acf[name] = giveValue(writer, name, given);
  const { _embedded, ...cover } = giveCover(writer);
  const tag = writer.name("w");
  writer.note("text", [tag]);
  const unknown = writer.name("w");
  const tags = [
    { name: `${tag} &amp; more` },
    ...(writer.chance(0.3) ? [{ name: "Start here: Menopause" }] : []),
    ...(writer.chance(0.3) ? [{ name: "Nights: Menopause" }] : []),
  ];
  if (writer.chance(0.2)) {
    writer.note("text", [unknown], [`tag Start here: ${unknown}`]);
    tags.push({ name: `Start here: ${unknown}` });
  }
  const item: FakeItem = {
    id: seed,
    date: "2026-11-01T09:00:00",
    date_gmt: "2026-11-01T09:00:00",
    modified_gmt: "2026-11-01T09:00:00",
    status: "publish",
    featured_media: 0,
    link: `${ORIGIN}/post-${seed}/`,
    title: { rendered: `${writer.word()} <em>${writer.word()}</em>` },
    content: { rendered: content, protected: false },
    acf: writer.chance(0.1) && Object.values(acf).every((each) => !each) ? [] : acf,
    ...cover,
    _embedded: { ..._embedded, author: [{ name: writer.word() }], "wp:term": [[], tags] },
  };
  return { list: writer.pick(fakeLists), item };
}

/** All others link to it. */
export const linkedPost = {
  id: ITEM_ID,
  link: `${ORIGIN}/linked/`,
  title: { rendered: "Linked" },
  content: { rendered: "", protected: false },
};
