import type { Context } from "../../context.ts";
import { isSameSecret } from "../../platform/seal.ts";

/**
 * Tokens of links that end the newsletter. They never expire, because an old email must work, and give no other right.
 */
export function createEndLinks({ keyedHash }: Pick<Context, "keyedHash">) {
  const hash = keyedHash("newsletter");
  return {
    make: (memberId: number) => `${memberId}.${hash(String(memberId))}`,

    /** `undefined` when the token is not ours. */
    read(token: string): number | undefined {
      const [, memberId = "", signature = ""] = /^([1-9]\d{0,14})\.([\w-]{43})$/.exec(token) ?? [];
      return isSameSecret(signature, hash(memberId)) ? Number(memberId) : undefined;
    },
  };
}
