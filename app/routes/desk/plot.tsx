import { drawBars, PLOT_HEIGHT, PLOT_WIDTH } from "./shown-figure.ts";
import styles from "./figures.module.css";

type PlotProps = {
  /** Describes the drawing. */
  summary: string;
  values: (number | undefined)[];
  /** The largest value, in words. */
  most: string;
  first: string;
  last: string;
};

/** Bars as one path, drawn on the server. A table beneath has the same numbers. */
export function Plot({ summary, values, most, first, last }: PlotProps) {
  return (
    <figure className={styles.plot}>
      <span className={styles.scale}>{`Highest: ${most}`}</span>
      <svg viewBox={`0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summary}>
        <path d={drawBars(values)} />
      </svg>
      <span className={styles.end}>{first}</span>
      <span className={styles.end}>{last}</span>
    </figure>
  );
}
