import * as fc from "fast-check";
import { expect, test } from "vitest";

import { findPictureKind } from "./redraw.ts";

const findKind = (text: string) => findPictureKind(Buffer.from(text, "latin1"));
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

test.each([
  ["jpeg", "\xff\xd8\xff\xe0\0\x10JFIF"],
  ["jpeg", "\xff\xd8\xff\xe1"],
  ["png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"],
  ["gif", "GIF87a"],
  ["gif", "GIF89a<svg>"],
  ["webp", "RIFF\x10\0\0\0WEBPVP8 "],
  ["avif", "\0\0\0\x20ftypavif\0\0\0\0avifmif1miafMA1B"],
  ["avif", "\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf"],
  ["heic", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"],
  ["heic", "\0\0\0\x18ftypmif1\0\0\0\0mif1heic"],
  ["svg", SVG],
  ["svg", `\xef\xbb\xbf${SVG}`],
  ["svg", `\n\t ${SVG}`],
  ["svg", `<?xml version="1.0" encoding="UTF-8"?>\n<!-- Made by hand --> <!--> --><?a b?>${SVG}`],
  ["svg", `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${SVG}`],
  ["svg", `<!DOCTYPE svg [\n<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n] >\n<svg xmlns="&ns_svg;">`],
  ["svg", `<!--${"x".repeat(30_000)}-->${SVG}`],
  ["svg", '<svg:svg xmlns:svg="http://www.w3.org/2000/svg">'],
  ["svg", "<svg>"],
])("a %s is recognised by its first bytes", (kind, head) => expect(findKind(head)).toBe(kind));

test.each([
  ["nothing", ""],
  ["half a signature", "\x89PNG\r\n"],
  ["text about pictures", "An <svg> is a picture"],
  ["a page", `<!doctype html><title>a</title>${SVG}`],
  ["a page in XML", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${SVG}</html>`],
  ["a PDF that says it is a picture", "%PDF-1.7\n\xff\xd8\xff"],
  ["a TIFF", "II*\0\x08\0\0\0"],
  ["a film", "\0\0\0\x18ftypisom\0\0\x02\0isomiso2"],
  ["a film whose version is called avif", "\0\0\0\x10ftypisomavif"],
  ["a film with pictures behind its brands", "\0\0\0\x10ftypisom\0\0\0\0heicavif"],
  ["sound", "RIFF\x24\0\0\0WAVEfmt "],
  ["a zipped SVG", "\x1f\x8b\x08\0\0\0\0\0\0\x03"],
  ["an SVG in UTF-16", `\xff\xfe${SVG.replaceAll(/./g, "$&\0")}`],
  ["another element", "<svgx>"],
  ["an element in a comment", "<!-- <svg> "],
  ["a comment that never ends", `<!--${"-".repeat(60_000)}`],
  ["a list of instructions without an end", "<?a?>".repeat(12_000)],
])("%s is no picture", (_name, head) => expect(findKind(head)).toBeUndefined());

test("any bytes in any kind of buffer are examined without a fault", () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(20), (bytes, offset) => {
      const around = new Uint8Array(offset + bytes.byteLength + 5);
      around.set(bytes, offset);
      expect(findPictureKind(around.subarray(offset, offset + bytes.byteLength))).toBe(findPictureKind(bytes));
    }),
  ));

test("repeated text before a drawing is read once, in linear time", () => {
  for (const piece of ["<!--", "<?", "<!DOCTYPE", "<!DOCTYPE[", " ", "<!-- -->", "<", "]>"]) {
    expect(findKind(piece.repeat(60_000))).toBeUndefined();
  }
});
