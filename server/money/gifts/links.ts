import type { Context } from "../../context.ts";
import { isSameSecret } from "../../platform/seal.ts";

/**
 * Signed tokens for a giver's page. They never expire, because people look for a receipt late, and each opens one gift.
 */
export function createGiverLinks({ keyedHash }: Pick<Context, "keyedHash">) {
  const hash = keyedHash("given gift");
  return {
    make: (giftId: number) => `${giftId}.${hash(String(giftId))}`,

    /** `undefined` when the token is not ours. */
    read(token: string): number | undefined {
      const [, giftId = "", signature = ""] = /^([1-9]\d{0,14})\.([\w-]{43})$/.exec(token) ?? [];
      return isSameSecret(signature, hash(giftId)) ? Number(giftId) : undefined;
    },
  };
}

export function giverUrl(ctx: Pick<Context, "keyedHash">, { id, site }: { id: number; site: string }): string {
  return `${site}given?gift=${createGiverLinks(ctx).make(id)}`;
}

/** For emails and printed sheets: the page with the button that takes a gift up. */
export function takeUpUrl({ site, code }: { site: string; code: string | undefined }): string {
  return `${site}gift?code=${encodeURIComponent(code ?? "")}`;
}
