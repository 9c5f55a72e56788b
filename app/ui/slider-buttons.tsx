import { Icon } from "./icons.tsx";
import type { SliderPlace } from "./slider.tsx";
import buttons from "./button.module.css";
import styles from "./slider.module.css";

type SliderButtonsProps = {
  title: string;
  hasDots: boolean;
  place: SliderPlace;
  onMove: (place: number) => void;
};

/** The arrows of a slider, and a dot for each of its places. */
export function SliderButtons({ title, hasDots, place, onMove }: SliderButtonsProps) {
  const { selected, count } = place;
  return (
    <>
      <button
        type="button"
        className={buttons.round}
        onClick={() => onMove(selected - 1)}
        disabled={selected === 0}
        aria-label={`Previous: ${title}`}
      >
        <Icon name="back" />
      </button>
      {hasDots && (
        <ul className={styles.dots}>
          {Array.from({ length: count }, (_, index) => (
            <li key={index}>
              <button
                type="button"
                onClick={() => onMove(index)}
                aria-label={`${title}, part ${index + 1}`}
                aria-current={index === selected}
              />
            </li>
          ))}
        </ul>
      )}
      <button
        type="button"
        className={buttons.round}
        onClick={() => onMove(selected + 1)}
        disabled={selected === count - 1}
        aria-label={`Next: ${title}`}
      >
        <Icon name="forward" />
      </button>
    </>
  );
}
