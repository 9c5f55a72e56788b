/** The format of a picture by its bytes, whatever its name says. */
export type PictureKind = "jpeg" | "png" | "gif" | "webp" | "avif" | "heic" | "svg";

/** `undefined` for any other format: none of its bytes is decoded then. */
export function findPictureKind(bytes: Uint8Array): PictureKind | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES)).toString("latin1");
  for (const [kind, signature] of signatures) if (head.startsWith(signature)) return kind;
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "webp";
  return findFilmKind(head) ?? (isSvg(head) ? "svg" : undefined);
}

/** As much as drawing programs write before the first element of an SVG. */
const HEAD_BYTES = 64 * 1024;

const signatures: [PictureKind, string][] = [
  ["jpeg", "\xff\xd8\xff"],
  ["png", "\x89PNG\r\n\x1a\n"],
  ["gif", "GIF87a"],
  ["gif", "GIF89a"],
];

/** AVIF and HEIC use the container of MP4 films; its first box names the formats (ISO/IEC 23008-12). */
function findFilmKind(head: string): "avif" | "heic" | undefined {
  // The length of the box precedes its name; its second four bytes are a version, not a brand.
  if (!head.startsWith("\0\0\0") || !head.startsWith("ftyp", 4)) return undefined;
  const brands = (head.slice(8, head.charCodeAt(3)).match(/[^]{4}/g) ?? []).filter((_, index) => index !== 1);
  if (brands.some((brand) => brand === "avif" || brand === "avis")) return "avif";
  return brands.some((brand) => /^(?:he[iv][cmsx]|mif1|msf1)$/.test(brand)) ? "heic" : undefined;
}

/** What may stand before the first element of XML: blanks, instructions, comments, a document type. */
const prologue = /\s*(?:<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\[[^]*?\]\s*)?>)/y;
const svgElement = /\s*<(?:[\w.-]+:)?svg[\s/>]/y;

/** XML in an encoding that contains ASCII: UTF-16 and zipped SVG are refused, as no browser's file dialogue offers them. */
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
