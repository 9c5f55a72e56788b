import type { ReactNode } from "react";

import type { ProductConfig } from "../../../../server/config.ts";
import { usePlainLinks } from "../../../components/links.tsx";
import { Footer, Logo, SkipLink } from "../../../components/page-frame.tsx";
import { drawIcon } from "../../../components/icons.tsx";
import { sceneNumber } from "../../../../server/content/items/kinds.ts";
import { Picture } from "../../../components/picture.tsx";
import { SchemeSwitch } from "../../../components/scheme-switch.tsx";
import { href } from "../../../frame/paths.ts";
import { OutsideLink } from "../../../components/outside-link.tsx";
import styles from "./auth-layout.module.css";

/** The product's facts for visitors. */
export type PublicProduct = ReturnType<typeof publicProduct>;

export function publicProduct({ name, contactEmail, socialLinks, agency }: ProductConfig) {
  return { name, contactEmail, socialLinks, agency };
}

type AuthLayoutProps = {
  title: string;
  /** A form was refused, or a payment failed. */
  isWrong?: boolean | undefined;
  product: PublicProduct;
  /** The present tab; none for a logged-in member, and on the pages of gifts. */
  mode?: "Sign Up" | "Log In" | undefined;
  /** The path to return to: both tabs keep it. */
  to?: string | undefined;
  /** The welcome fits a phone in one look. */
  isWelcome?: boolean;
  children: ReactNode;
};

/** A night scene, the two tabs, and the footer with the social icons. */
export function AuthLayout(props: AuthLayoutProps) {
  const { title, isWrong = false, product, mode, to, isWelcome = false, children } = props;
  usePlainLinks();
  return (
    <div className={isWelcome ? `${styles.layout} ${styles.welcome}` : styles.layout}>
      <title>{`${isWrong ? "Error: " : ""}${title} – ${product.name}`}</title>
      <SkipLink />
      <div className={styles.scene}>
        <Picture picture={{ scene: sceneNumber("hedgerow-nest") }} sizes="auth" isFirst />
      </div>
      <div className={styles.side}>
        <header className={styles.header}>
          <Logo name={product.name} />
          <SchemeSwitch />
        </header>
        <main id="main" className={styles.main}>
          {mode && <Tabs mode={mode} to={to} />}
          {children}
        </main>
        <Footer productName={product.name} agency={product.agency}>
          <SocialLinks links={product.socialLinks} />
        </Footer>
      </div>
    </div>
  );
}

/** `/signup` opens with the welcome. */
function Tabs({ mode, to }: Pick<AuthLayoutProps, "mode" | "to">) {
  const query = to ? `to=${encodeURIComponent(to)}` : "";
  return (
    <nav aria-label="Sign up or log in">
      <ul className={styles.tabs}>
        <li>
          <a
            href={href(`/signup?step=1${query && `&${query}`}`)}
            aria-current={mode === "Sign Up" ? "page" : undefined}
          >
            Sign Up
          </a>
        </li>
        <li>
          <a href={href(`/login${query && `?${query}`}`)} aria-current={mode === "Log In" ? "page" : undefined}>
            Log In
          </a>
        </li>
      </ul>
    </nav>
  );
}

const networks: Record<string, { name: string; drawing: ReactNode }> = {
  facebook: {
    name: "Facebook",
    drawing: (
      <path d="M14 8.5h2.5V5H14c-2.2 0-3.5 1.5-3.5 3.6V11H8v3.5h2.5V21H14v-6.5h2.5l.5-3.5h-3V9.2c0-.5.2-.7.5-.7z" />
    ),
  },
  instagram: {
    name: "Instagram",
    drawing: (
      <>
        <rect x="4" y="4" width="16" height="16" rx="4.5" />
        <circle cx="12" cy="12" r="3.6" />
        <path d="M16.6 7.3v.1" />
      </>
    ),
  },
  x: {
    name: "X",
    drawing: <path d="M5 5l14 14M19 5L5 19" />,
  },
  linkedin: {
    name: "LinkedIn",
    drawing: <path d="M5 10v9M5 5.5v.2M10 19v-9M10 14c0-2.5 1.5-4 3.7-4S17.5 11.3 17.5 14v5" />,
  },
  youtube: {
    name: "YouTube",
    drawing: (
      <>
        <rect x="3" y="6" width="18" height="12.5" rx="3.5" />
        <path d="M10.5 9.5v5.5l4.5-2.75z" />
      </>
    ),
  },
};

/** For a network that has no drawing. */
const chain = (
  <path d="M10 14a4 4 0 0 0 6 .4l2.5-2.5a4 4 0 0 0-5.7-5.7L11.5 7.5M14 10a4 4 0 0 0-6-.4l-2.5 2.5a4 4 0 0 0 5.7 5.7l1.3-1.3" />
);

function SocialLinks({ links }: { links: ProductConfig["socialLinks"] }) {
  if (links.length === 0) return null;
  return (
    <ul className={styles.social} aria-label="Social media">
      {links.map(({ network, url }) => (
        <li key={network}>
          <OutsideLink href={url}>
            {drawIcon(networks[network]?.drawing ?? chain)}
            <span className="visually-hidden">{networks[network]?.name ?? network}</span>
          </OutsideLink>
        </li>
      ))}
    </ul>
  );
}
