import type { ReactNode } from "react";
import { Link } from "react-router";

import type { ProductConfig } from "../../server/config.ts";
import { Footer } from "./footer.tsx";
import { Logo } from "./logo.tsx";
import { Picture } from "./picture.tsx";
import { sceneNumber } from "./scenes.ts";
import { SchemeSwitch } from "./scheme-switch.tsx";
import { SkipLink } from "./skip-link.tsx";
import { SocialLinks } from "./social-links.tsx";
import styles from "./entrance.module.css";

/** What visitors may know of the product. */
export type EntranceHouse = Pick<ProductConfig, "name" | "contactEmail" | "socialLinks" | "agency">;

type EntranceProps = {
  title: string;
  house: EntranceHouse;
  /** Which tab this is; none once somebody is in. */
  mode: "Sign Up" | "Log In" | undefined;
  /** Where the visitor wanted to go: both tabs keep it. */
  to: string | undefined;
  children: ReactNode;
};

/** The screen before the dashboard: a night scene, the two tabs, and the footer with the social icons. */
export function Entrance({ title, house, mode, to, children }: EntranceProps) {
  return (
    <div className={styles.entrance}>
      <title>{`${title} – ${house.name}`}</title>
      <SkipLink />
      <div className={styles.scene}>
        <Picture picture={{ scene: sceneNumber("hedgerow-nest") }} sizes="entrance" isFirst />
      </div>
      <div className={styles.side}>
        <header className={styles.header}>
          <Logo name={house.name} />
          <SchemeSwitch />
        </header>
        <main id="main" className={styles.main}>
          {mode && <Tabs mode={mode} to={to} />}
          {children}
        </main>
        <Footer productName={house.name} agency={house.agency}>
          <SocialLinks links={house.socialLinks} />
        </Footer>
      </div>
    </div>
  );
}

/** Switches between the two forms (spec, section 2); the welcome is what `/signup` opens with. */
function Tabs({ mode, to }: Pick<EntranceProps, "mode" | "to">) {
  const wish = to ? `to=${encodeURIComponent(to)}` : "";
  return (
    <nav aria-label="Sign up or log in">
      <ul className={styles.tabs}>
        <li>
          <Link to={`/signup?step=1${wish && `&${wish}`}`} aria-current={mode === "Sign Up" ? "page" : undefined}>
            Sign Up
          </Link>
        </li>
        <li>
          <Link to={`/login${wish && `?${wish}`}`} aria-current={mode === "Log In" ? "page" : undefined}>
            Log In
          </Link>
        </li>
      </ul>
    </nav>
  );
}
