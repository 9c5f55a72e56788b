import { expect, test } from "vitest";

import { readBounded } from "./bounded-answer.ts";

const bound = { maxBytes: 8, tooLong: () => new Error("too long") };

/** A body that counts the parts that were read and records when its reader leaves. */
function parted(parts: string[]) {
  const seen = { taken: 0, isLeft: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(stream) {
        const part = parts[seen.taken++];
        if (part === undefined) stream.close();
        else stream.enqueue(new TextEncoder().encode(part));
      },
      cancel: () => void (seen.isLeft = true),
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
}

test("an answer up to the limit is read whole, and none is empty", async () => {
  expect(Buffer.from(await readBounded(new Response(parted(["1234", "5678"]).body), bound)).toString()).toBe(
    "12345678",
  );
  expect(await readBounded(new Response(null), bound)).toEqual(new Uint8Array());
});

test("a longer one is refused, and not read on", async () => {
  const { body, seen } = parted(["1234", "56789", "0", "0"]);
  await expect(readBounded(new Response(body), bound)).rejects.toThrow("too long");
  expect(seen).toEqual({ taken: 2, isLeft: true });
});

test("one that says so itself is not read at all", async () => {
  const { body, seen } = parted(["1"]);
  const response = new Response(body, { headers: { "Content-Length": "9" } });
  await expect(readBounded(response, bound)).rejects.toThrow("too long");
  expect(seen).toEqual({ taken: 0, isLeft: true });
});
