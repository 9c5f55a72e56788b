import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openAvatarApp, type AvatarApp } from "../../tests/helpers/avatar-app.ts";
import { area, deflatedZeros, isNear, lookAt, pngChunk, RED, withChunk } from "../../tests/helpers/pictures.ts";

let drawn: AvatarApp["drawn"];
let close: AvatarApp["close"];

beforeAll(async () => {
  ({ drawn, close } = await openAvatarApp());
});

afterAll(() => close());

const EICAR = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`;

describe("what is more than a picture becomes a picture", () => {
  test.each<[string, () => Promise<Buffer>]>([
    [
      "a script behind a GIF",
      async () => Buffer.concat([await area(60, 40).gif().toBuffer(), Buffer.from("/*EVIL*/alert(1)")]),
    ],
    [
      "a page behind a JPEG",
      async () => Buffer.concat([await area(60, 40).jpeg().toBuffer(), Buffer.from("<script>EVIL</script>")]),
    ],
    [
      "an archive behind a PNG",
      async () => Buffer.concat([await area(60, 40).png().toBuffer(), Buffer.from("PK\x03\x04EVIL")]),
    ],
    [
      "a page in a PNG's comment",
      async () =>
        withChunk(await area(60, 40).png().toBuffer(), pngChunk("tEXt", Buffer.from("Comment\0<script>EVIL</script>"))),
    ],
    [
      "a virus test in a PNG's comment",
      async () => withChunk(await area(60, 40).png().toBuffer(), pngChunk("tEXt", Buffer.from(`EVIL\0${EICAR}`))),
    ],
    [
      "a virus test behind a JPEG",
      async () => Buffer.concat([await area(60, 40).jpeg().toBuffer(), Buffer.from(`EVIL${EICAR}`)]),
    ],
    [
      "a program in a JPEG's comment",
      async () => withComment(await area(60, 40).jpeg().toBuffer(), "<?php EVIL(); ?>"),
    ],
    [
      "a comment of many megabytes in a PNG",
      async () =>
        withChunk(
          await area(60, 40).png().toBuffer(),
          pngChunk("zTXt", Buffer.concat([Buffer.from("EVIL\0\0"), deflatedZeros(200_000_000)])),
        ),
    ],
  ])("%s", async (_name, make) => {
    const file = await make();
    expect(file.includes("EVIL")).toBe(true);
    const { bytes } = await drawn(file);
    expect(Buffer.from(bytes).includes("EVIL")).toBe(false);
    expect(Buffer.from(bytes).includes("EICAR")).toBe(false);
    expect(isNear((await lookAt(bytes)).at(0.5, 0.5), RED)).toBe(true);
  });
});

/** The same JPEG with a comment behind its first marker. */
function withComment(jpeg: Buffer, comment: string): Buffer {
  const marker = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, Buffer.from(comment), jpeg.subarray(2)]);
}
