/** What a picture is by its bytes, whatever its name says. */
export type PictureKind = "jpeg" | "png" | "gif" | "webp" | "avif" | "heic" | "svg";

/** Of anything else not a byte is decoded. */
export function findPictureKind(bytes: Uint8Array): PictureKind | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES)).toString("latin1");
  for (const [kind, signature] of signatures) if (signature.test(head)) return kind;
  return findFilmKind(head) ?? (isSvg(head) ? "svg" : undefined);
}

/** As much as drawing programs write before the first element of an SVG. */
const HEAD_BYTES = 64 * 1024;

const signatures: [PictureKind, RegExp][] = [
  ["jpeg", /^\xff\xd8\xff/],
  ["png", /^\x89PNG\r\n\x1a\n/],
  ["gif", /^GIF8[79]a/],
  ["webp", /^RIFF[^]{4}WEBP/],
];

/** AVIF and HEIC are kept as films are; the first box names what can read them (ISO/IEC 23008-12). */
function findFilmKind(head: string): "avif" | "heic" | undefined {
  const [, brands] = /^\0\0\0[\x10-\xff]ftyp([^]{4,248})/.exec(head) ?? [];
  if (!brands) return undefined;
  // The length of the box stands before its name; the second four bytes are a version, not a brand.
  const names = (brands.slice(0, head.charCodeAt(3) - 8).match(/[^]{4}/g) ?? []).filter((_, index) => index !== 1);
  if (names.some((name) => name === "avif" || name === "avis")) return "avif";
  return names.some((name) => /^(?:he[iv][cmsx]|mif1|msf1)$/.test(name)) ? "heic" : undefined;
}

/** What may stand before the first element of XML: blanks, instructions, comments, a document type. */
const prologue = /\s*(?:<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\[[^]*?\]\s*)?>)/y;
const svgElement = /\s*<(?:[\w.-]+:)?svg[\s/>]/y;

/** XML as bytes that ASCII is part of: UTF-16 and what is zipped are refused, for no browser's dialogue offers them. */
function isSvg(head: string): boolean {
  let at = head.startsWith("\xef\xbb\xbf") ? 3 : 0;
  for (;;) {
    prologue.lastIndex = at;
    if (!prologue.test(head)) break;
    at = prologue.lastIndex;
  }
  svgElement.lastIndex = at;
  return svgElement.test(head);
}
