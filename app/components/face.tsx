import { href } from "../frame/paths.ts";

type FaceProps = { avatar: string | undefined; name: string; sizeInPx: number };

/** A member's picture, or their initials. For the eye alone: the name is beside it. */
export function Face({ avatar, name, sizeInPx }: FaceProps) {
  if (avatar) return <img src={href(`/avatars/${avatar}`)} alt="" width={sizeInPx} height={sizeInPx} />;
  return (
    <svg viewBox="0 0 44 44" width={sizeInPx} height={sizeInPx} aria-hidden="true">
      <text x="22" y="22" dominantBaseline="central" textAnchor="middle" fill="currentColor" fontSize="16">
        {toInitials(name)}
      </text>
    </svg>
  );
}

/** Of the first and the last word. */
function toInitials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [...new Set([words[0], words.at(-1)])].map((word = "") => /^./u.exec(word)?.[0] ?? "");
  return letters.join("").toLocaleUpperCase("en-GB");
}
