import { Icon, type IconName } from "./icons.tsx";
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
      <Arrow label={`Previous: ${title}`} icon="back" isAtEnd={selected === 0} onPress={() => onMove(selected - 1)} />
      {hasDots && (
        <ul className={styles.dots}>
          {Array.from({ length: count }, (_, index) => (
            <li key={index}>
              <button type="button" onClick={() => onMove(index)} aria-current={index === selected}>
                <span className="visually-hidden">{`${title}, part ${index + 1}`}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Arrow
        label={`Next: ${title}`}
        icon="forward"
        isAtEnd={selected === count - 1}
        onPress={() => onMove(selected + 1)}
      />
    </>
  );
}

type ArrowProps = { label: string; icon: IconName; isAtEnd: boolean; onPress: () => void };

/** At the end it says so and does nothing. Were it `disabled`, whoever has pressed it to the end would lose the focus. */
function Arrow({ label, icon, isAtEnd, onPress }: ArrowProps) {
  return (
    <button type="button" className={buttons.round} onClick={isAtEnd ? undefined : onPress} aria-disabled={isAtEnd}>
      <Icon name={icon} />
      <span className="visually-hidden">{label}</span>
    </button>
  );
}
