/**
 * `words` are synonyms, separated by commas. `typed` leads to them but is not searched for: it is too wide ("nights"),
 * or no text has it ("the change"). `isComplaint`: a reason for asking; a cause beside it weighs more.
 */
export type Saying = { words: string; typed?: string; isComplaint?: true };
