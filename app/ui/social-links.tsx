import type { ProductConfig } from "../../server/config.ts";
import { Icon, isIconName } from "./icons.tsx";
import styles from "./social-links.module.css";

const networkNames: Record<string, string> = {
  facebook: "Facebook",
  instagram: "Instagram",
  x: "X",
  linkedin: "LinkedIn",
  youtube: "YouTube",
};

/** Where else the provider can be met. */
export function SocialLinks({ links }: { links: ProductConfig["socialLinks"] }) {
  if (links.length === 0) return null;
  return (
    <ul className={styles.social} aria-label="Social media">
      {links.map(({ network, url }) => (
        <li key={network}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            <Icon name={isIconName(network) ? network : "link"} />
            <span className="visually-hidden">{`${networkNames[network] ?? network} (opens in a new tab)`}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
