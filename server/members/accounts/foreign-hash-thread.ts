import { parentPort } from "node:worker_threads";

import type { ForeignCheck } from "./foreign-hashes.ts";
import { isSameTag, readHash } from "./password-forms.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort?.on("message", (check: ForeignCheck) => parentPort?.postMessage(isBehind(check)));

function isBehind({ password, stored }: ForeignCheck): boolean {
  const read = readHash(stored);
  if (!read.ok) return false;
  const { derive, wanted, listTexts } = read.hash;
  // Tries all texts even after a match, so that the time reveals nothing.
  const tags = listTexts(password).map(derive);
  return tags.some((tag) => isSameTag(tag, wanted));
}
