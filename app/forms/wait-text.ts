/** How long somebody has to wait, in words: seconds up to a minute, then minutes. Never less than it is. */
export function waitText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds === 1) return "a second";
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

/** What is said to whoever has tried something too often. */
export function tooMany(waitInMs: number): string {
  return `There were too many attempts. Please wait ${waitText(waitInMs)}, then try again.`;
}
