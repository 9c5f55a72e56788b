import { expect, test } from "vitest";

import { checkParts } from "./doctor-parts.ts";

test("each part says how it is; what nobody configured is no fault, what throws is one", async () => {
  const findings = await checkParts({
    content: { isOpen: true, check: async () => ({ isWell: true, says: "It answers." }) },
    cards: { isOpen: true, check: async () => ({ isWell: false, says: "The key is refused: make a new one." }) },
    "Direct Debits": { isOpen: false, check: async () => ({ isWell: true, says: "None." }) },
    mail: { isOpen: true, check: () => Promise.reject(new Error("The line\nis down")) },
  });
  expect(findings).toEqual([
    { part: "content", state: "ok", says: "It answers." },
    { part: "cards", state: "wrong", says: "The key is refused: make a new one." },
    { part: "Direct Debits", state: "note", says: "None." },
    { part: "mail", state: "wrong", says: "The line is down." },
  ]);
});
