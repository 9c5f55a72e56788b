import { Session, type Profiler } from "node:inspector";

/**
 * Counts the steps of synchronous work, equal on every machine: executed blocks of JavaScript (libraries included),
 * characters that expressions may look at, and elements that searches look at.
 * @throws once searches and expressions exceed `most`, so that a test of quadratic code ends.
 */
export function countWork(run: () => void, most: number): number {
  let steps = 0;
  const add = (count: number) => {
    steps += count;
    if (steps > most) throw new Error(`more than ${most} steps`);
  };
  const session = new Session();
  session.connect();
  const restore = [meterExpressions(add), meterSearches(add)];
  try {
    session.post("Profiler.enable");
    session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    run();
  } finally {
    for (const undo of restore) undo();
    session.post("Profiler.takePreciseCoverage", (_, coverage) => {
      steps += countBlocks(coverage);
    });
    session.disconnect();
  }
  return steps;
}

function countBlocks({ result }: Profiler.TakePreciseCoverageReturnType): number {
  const scripts = result.filter(({ url }) => !url.includes("count-work"));
  const ranges = scripts.flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

type Add = (steps: number) => void;

/** An expression calls `exec` if that is not the built-in one (ECMA-262, RegExpExec). */
function meterExpressions(add: Add): () => void {
  const builtIn = RegExp.prototype.exec;
  const known = new Map<string, boolean>();
  const isKnownLinear = (source: string) => {
    const isIt = known.get(source);
    if (isIt !== undefined) return isIt;
    // The check itself uses an expression.
    known.set(source, true);
    known.set(source, isLinear(source));
    return known.get(source);
  };
  function exec(this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = builtIn.call(this, text);
    const rest = text.length - from + 1;
    const starts = this.sticky || this.source.startsWith("^") ? 1 : match ? match.index - from + 1 : rest;
    add(starts + (match?.[0].length ?? 0));
    if (!isKnownLinear(this.source)) add(starts * rest);
    return match;
  }
  Object.assign(RegExp.prototype, { exec });
  return () => void Object.assign(RegExp.prototype, { exec: builtIn });
}

/**
 * Whether a search looks at each character a fixed number of times. Each loop must be the last part, so that it cannot
 * fail, or exclude the expression's first character, so that it cannot pass another start. Otherwise each start may run
 * to the end of the text.
 */
function isLinear(source: string): boolean {
  const loops = [...source.matchAll(/(\[(?:\\.|[^\]\\])*\]|\\.|\)|[^\\])(?:[*+]|\{\d+,\})\??/g)];
  return loops.every(({ 0: loop, 1: repeated = "", index }) => {
    if (index + loop.length === source.length) return true;
    return /^[\w< /]/.test(source) && repeated !== ")" && !new RegExp(repeated).test(source.charAt(0));
  });
}

type Searching = { indexOf(sought: unknown, from?: number): number };

function meterSearches(add: Add): () => void {
  const { startsWith } = String.prototype;
  Object.assign(String.prototype, {
    startsWith(this: string, sought: string, from?: number) {
      add(1);
      return startsWith.call(this, sought, from);
    },
  });
  const undos = [String.prototype, Array.prototype].map((prototype) => {
    const { indexOf, includes } = prototype as unknown as Searching & { includes: Searching["indexOf"] };
    const meter = (found: number, length: number, from = 0) =>
      add(found === -1 ? Math.max(1, length - from) : 1 + found - from);
    const metered = {
      indexOf(this: { length: number }, sought: unknown, from?: number) {
        const found = indexOf.call(this, sought, from);
        meter(found, this.length, from);
        return found;
      },
      includes(this: { length: number }, sought: unknown, from?: number) {
        meter(indexOf.call(this, sought, from), this.length, from);
        return includes.call(this, sought, from);
      },
    };
    Object.assign(prototype, metered);
    return () => void Object.assign(prototype, { indexOf, includes });
  });
  return () => {
    Object.assign(String.prototype, { startsWith });
    for (const undo of undos) undo();
  };
}
