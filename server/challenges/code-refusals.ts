import type { CodeFault } from "./challenges.ts";

/** What somebody is told of a code that did not do. One that was never asked for, or is used up, is as good as too old. */
export type CodeRefusal = "wrong-code" | "expired-code" | "too-many-tries";

export const codeRefusals: Record<CodeFault, CodeRefusal> = {
  wrong: "wrong-code",
  expired: "expired-code",
  none: "expired-code",
  "worn-out": "too-many-tries",
};
