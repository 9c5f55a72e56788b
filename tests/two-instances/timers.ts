/**
 * Loaded into an instance before anything else: what comes round once a minute or less often comes round every two seconds, so that
 * in a short run both instances want each turn many times. How long a turn lasts is left as it is.
 */
const MINUTE_IN_MS = 60_000;
const usual = globalThis.setInterval;

globalThis.setInterval = ((work: () => void, everyInMs = 0) =>
  usual(work, everyInMs >= MINUTE_IN_MS ? 2000 : everyInMs)) as typeof setInterval;
