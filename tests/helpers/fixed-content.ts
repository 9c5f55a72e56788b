import type { ContentSource } from "../../server/content/items/source.ts";

export function createFixedContent(items: unknown[] = []): ContentSource {
  return {
    name: "test",
    listItems: async () => items,
    findMedia: async () => undefined,
    check: async () => ({ isWell: true, message: "The test's own." }),
  };
}
