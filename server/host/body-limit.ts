/** No form of ours is larger. */
export const MAX_BODY_BYTES = 256 * 1024;

/** A body that did not say its length and turned out longer. */
class BodyTooLarge extends Error {
  constructor() {
    super(`a body of more than ${MAX_BODY_BYTES} bytes`);
    this.name = "BodyTooLarge";
  }
}

/** The same request, whose body ends in an error where it becomes too large; `onTooLarge` is told first. */
export function limitBody(request: Request, onTooLarge: () => void): Request {
  if (!request.body) return request;
  let size = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size <= MAX_BODY_BYTES) return controller.enqueue(chunk);
      onTooLarge();
      controller.error(new BodyTooLarge());
    },
  });
  return new Request(request, { body: request.body.pipeThrough(counter), duplex: "half" } as RequestInit);
}
