/** The tables of what the desk shows of jobs, days and searches. */
export type FigureTables = {
  /** The last run of each job, and its last failure. */
  jobRuns: {
    name: string;
    startedAt: Date;
    tookInMs: number;
    result: "done" | "failed";
    failedAt: Date | null;
    /** The fault at `failedAt`, without personal data. */
    error: string | null;
  };

  /** The count of a day that is over, counted once. */
  dailyCounts: {
    /** In London: `2026-11-20`. */
    day: string;
    /** See `figures/rules.ts`. */
    measure: string;
    /** A number of things, or pence. */
    value: number;
  };

  /** Searches that found nothing, each once for a member and a month. */
  emptySearches: {
    /** In London: `2026-11`. */
    month: string;
    term: string;
    /** Keyed hash of member, month and term: it leads neither to the member nor to their other searches. */
    searcher: string;
  };
};
