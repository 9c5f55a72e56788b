import {
  createContext,
  createElement,
  lazy,
  Suspense,
  useContext,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { BackLink } from "../../../components/links.tsx";
import buttons from "../../../components/button.module.css";
import { Icon } from "../../../components/icons.tsx";
import { waitBeforeHydration } from "../../../hydration.ts";
import { CONTENT_ID } from "./account-answer.ts";
import type { AccountProps } from "./account-screen.ts";
import { useModal } from "../../../components/use-modal.ts";
import styles from "./account.module.css";

/** The content of My Account where it is at hand: on the server. */
export const ContentContext = createContext<ComponentType<AccountProps> | undefined>(undefined);

/** The same in a browser whose page came with it, which waits for its script. */
let contentOfPage: ComponentType<AccountProps> | undefined;

/** Else its script is fetched when it opens. */
const LateContent = lazy(fetchContent);

if (!import.meta.env.SSR && document.getElementById(CONTENT_ID))
  waitBeforeHydration(fetchContent().then((fetched) => (contentOfPage = fetched.default)));

/** My Account, over any screen. */
export function Account(props: AccountProps) {
  const content = useContext(ContentContext) ?? contentOfPage;
  return (
    <Frame closePath={props.account.closePath}>
      {content ? (
        createElement(content, props)
      ) : (
        <Suspense>
          <LateContent {...props} />
        </Suspense>
      )}
    </Frame>
  );
}

/**
 * An open dialog over an inert page, closed by a link; with script it is modal, keeps the focus and closes by Escape as well. It is
 * separate from its content, so that what hydration changes here does not make React render the content anew.
 */
function Frame({ closePath, children }: { closePath: string; children: ReactNode }) {
  const closeLink = useRef<HTMLAnchorElement>(null);
  const dialog = useModal();
  // Only what script opens slides in; what the server has rendered is in place already.
  const [isSliding] = useState(useHydrated());
  return (
    <dialog
      ref={dialog}
      open
      tabIndex={-1}
      className={isSliding ? `${styles.account} ${styles.sliding}` : styles.account}
      aria-labelledby="account-title"
      aria-describedby="account-subtitle"
      onCancel={(event) => {
        // Closing a file picker without a choice fires it too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        closeLink.current?.click();
      }}
    >
      <header className={styles.heading}>
        <div>
          <h2 id="account-title">My Account</h2>
          <p id="account-subtitle">Update your photo and personal details</p>
        </div>
        <BackLink ref={closeLink} className={buttons.round} to={closePath} focus="#account-button" preventScrollReset>
          <Icon name="close" />
          <span className="visually-hidden">Close</span>
        </BackLink>
      </header>
      {children}
    </dialog>
  );
}

/** If its script does not arrive, content that the server has rendered stays as plain links and forms; else the page reloads. */
async function fetchContent(): Promise<{ default: ComponentType<AccountProps> }> {
  try {
    return { default: (await import("./account-content.tsx")).AccountContent };
  } catch {
    const content = document.getElementById(CONTENT_ID);
    if (!content) window.location.reload();
    return new Promise(() => undefined);
  }
}
