import type { Context } from "../../context.ts";
import { isSameSecret } from "../../platform/seal.ts";

/**
 * The tokens of the links by which an email ends those that follow. They never run out, because an old email must end them too, and
 * they give no other right.
 */
export function createEndLinks({ keyedHash }: Pick<Context, "keyedHash">) {
  const hash = keyedHash("newsletter");
  return {
    make: (memberId: number) => `${memberId}.${hash(String(memberId))}`,

    /** The member of a token; `undefined` when it is not one of ours. */
    read(token: string): number | undefined {
      const [, memberId = "", signature = ""] = /^([1-9]\d{0,14})\.([\w-]{43})$/.exec(token) ?? [];
      return isSameSecret(signature, hash(memberId)) ? Number(memberId) : undefined;
    },
  };
}
