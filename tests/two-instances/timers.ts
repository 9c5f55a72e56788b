/**
 * Preloaded into an instance: jobs with a pace of a minute or more run every two seconds, so that in a short run both
 * instances want each job often. Leases last as long as usual.
 */
const MINUTE_IN_MS = 60_000;
const usual = globalThis.setInterval;

globalThis.setInterval = ((work: () => void, everyInMs = 0) =>
  usual(work, everyInMs >= MINUTE_IN_MS ? 2000 : everyInMs)) as typeof setInterval;
