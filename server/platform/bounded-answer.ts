type Bound = { maxBytes: number; tooLong: () => Error };

/** @throws what `tooLong` makes, as soon as there are more than `maxBytes`; the rest is not read. */
export async function readBounded(response: Response, { maxBytes, tooLong }: Bound): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(response.headers.get("Content-Length") ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw tooLong();
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop by an error ends the connection.
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > maxBytes) throw tooLong();
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts, size));
}
