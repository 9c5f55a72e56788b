import { createHash, timingSafeEqual } from "node:crypto";

import type { Catalogue } from "./catalogue.ts";

/** The door at which a CMS tells that something changed, so that nobody waits for the next refresh. */
export type ContentSignal = {
  /** Begins a refresh, unless the secret is wrong; answers whether it was right. */
  receive(secret: string): boolean;
};

export function createContentSignal(secret: string, catalogue: Catalogue): ContentSignal {
  const expected = digest(secret);
  return {
    receive(given) {
      const isRight = timingSafeEqual(digest(given), expected);
      // A refresh that fails says so in its status.
      if (isRight) void catalogue.refresh();
      return isRight;
    },
  };
}

/** Of one length, whatever was sent. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
