import { Suspense, useRef, useState, type ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { BackLink } from "../../../../components/links.tsx";
import buttons from "../../../../components/button.module.css";
import { Icon } from "../../../../components/icons.tsx";
import { createLateComponent } from "../../../../frame/late-component.tsx";
import { CONTENT_ID } from "./account-answer.ts";
import type { AccountProps } from "./account-screen.ts";
import { useModal } from "../../../../components/use-modal.ts";
import styles from "./account.module.css";

const Content = createLateComponent(CONTENT_ID, async () => (await import("./account-content.tsx")).AccountContent);

export function Account(props: AccountProps) {
  return (
    <Frame closePath={props.account.closePath}>
      {Content.isLoaded() ? (
        <Content {...props} />
      ) : (
        <Suspense>
          <Content {...props} />
        </Suspense>
      )}
    </Frame>
  );
}

/**
 * An open dialog over an inert page, closed by a link; with script it is modal and closes by Escape as well. Separate
 * from its content, so that hydration here does not render the content again.
 */
function Frame({ closePath, children }: { closePath: string; children: ReactNode }) {
  const closeLink = useRef<HTMLAnchorElement>(null);
  const dialog = useModal();
  // Only a dialog that script opens slides in.
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
