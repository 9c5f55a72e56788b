import { href } from "../frame/paths.ts";
import styles from "./face.module.css";

type FaceProps = { avatar: string | undefined; name: string; sizeInPx: number };

/** A member's picture, or their initials. For the eye alone: the name is beside it. */
export function Face({ avatar, name, sizeInPx }: FaceProps) {
  if (avatar) return <img src={href(`/avatars/${avatar}`)} alt="" width={sizeInPx} height={sizeInPx} />;
  // By style, so that they are no part of a button's text.
  return <span className={styles.initials} data-initials={toInitials(name)} aria-hidden="true" />;
}

function toInitials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [...new Set([words[0], words.at(-1)])].map((word = "") => /^./u.exec(word)?.[0] ?? "");
  return letters.join("").toLocaleUpperCase("en-GB");
}
