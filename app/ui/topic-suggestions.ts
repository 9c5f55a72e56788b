import { suggestTopics, topics } from "../../server/content/suggestions.ts";

/** The topics that fit what is typed. A file of its own: fetched when the search box is first used. */
export function suggestTopic(typed: string): string[] {
  return suggestTopics(typed, topics);
}
