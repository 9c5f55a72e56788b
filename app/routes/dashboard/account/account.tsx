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

import { BackLink } from "../../../ui/links.tsx";
import buttons from "../../../ui/button.module.css";
import { Icon } from "../../../ui/icons.tsx";
import { CONTENT_ID } from "./account-answer.ts";
import type { AccountProps } from "./account-screen.ts";
import { useModal } from "./use-modal.ts";
import styles from "./account.module.css";

/** The content of My Account: the server imports it, a browser fetches its script when it is open. */
export const ContentContext = createContext<ComponentType<AccountProps>>(
  import.meta.env.SSR ? () => null : lazy(fetchContent),
);

/** My Account, over whatever screen it was opened on. */
export function Account(props: AccountProps) {
  const content = createElement(useContext(ContentContext), props);
  return (
    <Frame closePath={props.account.closePath}>
      <Suspense>{content}</Suspense>
    </Frame>
  );
}

/**
 * An open dialog over an inert page, closed by a link; with script it is a modal one, which keeps the focus and closes by Escape
 * as well. It is apart from what stands in it: what changes here on hydration must not touch that, or React makes it anew.
 */
function Frame({ closePath, children }: { closePath: string; children: ReactNode }) {
  const closeLink = useRef<HTMLAnchorElement>(null);
  const dialog = useModal();
  // What the server has sent stands there already; what script opens slides in.
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
        // A file picker that is closed without a choice fires it too.
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

/** Where its script does not arrive it stays as the server made it, plain links and forms; what is not there yet is asked for anew. */
async function fetchContent(): Promise<{ default: ComponentType<AccountProps> }> {
  try {
    return { default: (await import("./account-content.tsx")).AccountContent };
  } catch {
    const content = document.getElementById(CONTENT_ID);
    if (!content) window.location.reload();
    return new Promise(() => undefined);
  }
}
