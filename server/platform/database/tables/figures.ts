export type FigureTables = {
  jobRuns: {
    name: string;
    startedAt: Date;
    tookInMs: number;
    result: "done" | "failed";
    failedAt: Date | null;
    /** Without personal data. */
    error: string | null;
  };

  /** The counts of a day that has ended, counted once. */
  dailyCounts: {
    /** In London: `2026-11-20`. */
    day: string;
    /** `figures/measures.ts` lists them. */
    measure: string;
    /** A number of things, or pence. */
    value: number;
  };

  /** Searches that found nothing, each counted once for a member and a month. */
  emptySearches: {
    /** In London: `2026-11`. */
    month: string;
    term: string;
    /** Keyed hash of member, month and term, which leads neither to the member nor to their other searches. */
    searcher: string;
  };
};
