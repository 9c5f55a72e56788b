/** How the process that draws a picture ends when it is the picture's fault; numbers that Node itself does not use. */
export const exits = { tooManyPixels: 64, unreadable: 65 } as const;

/** What telephones make today (50 megapixels), and no more. */
export const MAX_PIXELS = 52_000_000;
/** What people have takes a second at most; the rest is for slow machines. */
export const MAX_CPU_IN_MS = 5000;
/** Two and a half times what an ordinary photo takes, Node included. */
export const MAX_MEMORY_IN_BYTES = 450_000_000;
