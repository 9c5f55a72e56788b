import { type PointerEvent, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { CHART_HEIGHT, CHART_WIDTH, drawArea, drawLine, toX, toY } from "./line-shape.ts";
import styles from "./line-chart.module.css";

export type LineChartProps = {
  /** Names the slider that reads the points: "Sign-ups, week by week". */
  name: string;
  /** Describes the drawing. */
  summary: string;
  /** `words`: the point as it is read. `before`: of the time before, drawn as a second line. */
  points: { value: number | undefined; before?: number | undefined; words: string }[];
  /** From zero to the top; the words may hide a mark's number. */
  marks: { value: number; words: string }[];
  first: string;
  last: string;
  /** Shown while no point is read. */
  note: string;
};

/**
 * A line drawn on the server. With script the pointer and the arrow keys read its points; without it the page's table
 * has the same numbers.
 */
export function LineChart({ name, summary, points, marks, first, last, note }: LineChartProps) {
  const [at, setAt] = useState<number>();
  const isHydrated = useHydrated();
  const top = marks.at(-1)?.value ?? 1;
  const values = points.map(({ value }) => value);
  const before = points.map((point) => point.before);
  const lastPoint = points.length - 1;

  function readUnder({ currentTarget, clientX }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = (clientX - left) / Math.max(1, width);
    setAt(Math.min(lastPoint, Math.max(0, Math.round(share * lastPoint))));
  }

  return (
    <figure className={styles.chart}>
      <figcaption className={styles.reading}>{at === undefined ? note : points[at]?.words}</figcaption>
      <div className={styles.scale} aria-hidden="true">
        {marks.toReversed().map(({ value, words }) => (
          <div key={value}>{words}</div>
        ))}
      </div>
      <div
        className={styles.field}
        onPointerMove={readUnder}
        onPointerDown={readUnder}
        onPointerLeave={() => setAt(undefined)}
      >
        <svg viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summary}>
          <path className={styles.grid} d={marks.map(({ value }) => `M0 ${toY(value, top)}h${CHART_WIDTH}`).join("")} />
          <path className={styles.area} d={drawArea(values, top)} />
          <path className={styles.before} d={drawLine(before, top)} />
          <path className={styles.line} d={drawLine(values, top)} />
          {at !== undefined && <Mark x={toX(at, points.length)} value={values[at]} top={top} />}
        </svg>
        {isHydrated && (
          <input
            type="range"
            className={styles.reader}
            aria-label={name}
            min={0}
            max={lastPoint}
            value={at ?? lastPoint}
            aria-valuetext={points[at ?? lastPoint]?.words}
            onChange={({ target }) => setAt(target.valueAsNumber)}
            onFocus={() => setAt((now) => now ?? lastPoint)}
            onBlur={() => setAt(undefined)}
          />
        )}
      </div>
      <div className={styles.ends}>
        <div>{first}</div>
        <div>{last}</div>
      </div>
    </figure>
  );
}

function Mark({ x, value, top }: { x: number; value: number | undefined; top: number }) {
  return (
    <>
      <path className={styles.rule} d={`M${x} 0v${CHART_HEIGHT}`} />
      {value !== undefined && <path className={styles.dot} d={`M${x} ${toY(value, top)}h0`} />}
    </>
  );
}

/** Without scale and reader, beside larger ones. */
export function SmallLine({ summary, values }: { summary: string; values: (number | undefined)[] }) {
  const top = Math.max(1, ...values.map((value) => value ?? 0));
  return (
    <svg
      className={styles.small}
      viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summary}
    >
      <path className={styles.area} d={drawArea(values, top)} />
      <path className={styles.line} d={drawLine(values, top)} />
    </svg>
  );
}
