import type { ContentSource } from "../../server/content/catalogue/source.ts";

/** Content that is always there, and always the same: what a test gives it, or none. */
export function createFixedContent(items: unknown[] = []): ContentSource {
  return {
    name: "test",
    listItems: async () => items,
    findMedia: async () => undefined,
    check: async () => ({ isWell: true, message: "The test's own." }),
  };
}
