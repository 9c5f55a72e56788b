/** The provider has answered, and it was no. `message`: in its words, for whoever asked. */
export type ProviderRefusal = {
  ok: false;
  status: number;
  message: string;
  /** Not to be asked again before. */
  waitInMs?: number;
};

/** The provider could not be asked, or its answer cannot be read. It names no secret and nobody. */
export class ProviderError extends Error {
  override name = "ProviderError";
  /** It did not answer, or not now; otherwise it answered something strange. */
  readonly isUnreachable: boolean;

  constructor(message: string, { isUnreachable, cause }: { isUnreachable: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isUnreachable = isUnreachable;
  }
}

/** For a part of a page, and no more. */
const MESSAGE_MAX_LENGTH = 300;

/**
 * Section 8 of the spec: the message of the server's data, else the error's own, else the error as a string. `undefined` where there
 * are no such words: then nobody has refused anything, but something is broken.
 */
export function readMessage(body: unknown): string | undefined {
  const { data, message, error } = fieldsOf(body);
  const found = [fieldsOf(data).message, message, fieldsOf(error).message, error].map(toWords);
  return found.find((words) => words !== undefined);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** WordPress writes its messages in HTML. */
function toWords(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const words = value
    .slice(0, 10 * MESSAGE_MAX_LENGTH)
    .replace(/<[^<>]*>/g, " ")
    .replace(/[\s\p{C}]+/gu, " ")
    .trim();
  if (words === "") return undefined;
  return words.length <= MESSAGE_MAX_LENGTH ? words : `${words.slice(0, MESSAGE_MAX_LENGTH - 1).trimEnd()}…`;
}
