import { useRef, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { GoodNews } from "../../../forms/good-news.tsx";
import { href } from "../../../paths.ts";
import buttons from "../../../ui/button.module.css";
import { Icon } from "../../../ui/icons.tsx";
import { refusalOf } from "./account-answer.ts";
import type { AccountProps } from "./account.tsx";
import { ChangePassword } from "./change-password-form.tsx";
import { CloseAccount } from "./close-account-form.tsx";
import { Details } from "./details.tsx";
import { Devices } from "./devices.tsx";
import { Membership } from "./membership.tsx";
import { Part } from "./part.tsx";
import { PendingEmail } from "./pending-email.tsx";
import { told } from "./told.ts";
import { useModal } from "./use-modal.ts";
import { YourData } from "./your-data.tsx";
import styles from "./account.module.css";

/**
 * What a member sees and changes of themselves. It is an open dialog over an inert page, closed by a link; with script it is
 * a modal one, which keeps the focus and closes by Escape as well.
 */
export function AccountPanel(props: AccountProps) {
  const closeLink = useRef<HTMLAnchorElement>(null);
  const dialog = useModal();
  // What the server has sent stands there already; what script opens slides in.
  const [isSliding] = useState(useHydrated());
  return (
    <dialog
      ref={dialog}
      id="account"
      open
      className={isSliding ? `${styles.account} ${styles.sliding}` : styles.account}
      aria-labelledby="account-title"
      aria-describedby="account-subtitle"
      onCancel={(event) => {
        event.preventDefault();
        closeLink.current?.click();
      }}
    >
      <header className={styles.heading}>
        <div>
          <h2 id="account-title">My Account</h2>
          <p id="account-subtitle">Update your photo and personal details</p>
        </div>
        <a
          ref={closeLink}
          className={buttons.round}
          href={href(props.account.closePath)}
          aria-label="Close"
          data-back=""
          data-focus="#account-button"
          data-stay=""
        >
          <Icon name="close" />
        </a>
      </header>
      <Content {...props} />
    </dialog>
  );
}

function Content({ account, answer, avatar }: AccountProps) {
  const { profile, membership, devices, unsent } = account;
  const answered = answer && "told" in answer ? answer.told : undefined;
  // A form that was just refused has the word; what led to this page is history then.
  const key = answer ? answered : account.told;
  const said = key && told[key];
  const news = said && <GoodNews sentence={said.sentence} hasFocus={answered !== undefined} />;
  const refused = { password: refusalOf(answer, "password"), close: refusalOf(answer, "close") };
  const isOpen = (part: typeof account.part) => account.part === part || said?.part === part;
  return (
    <>
      {said?.part === "open" && news}
      {unsent && !answer && <p className={styles.notice}>{sayUnsent(unsent)}</p>}
      {profile.pendingEmail !== undefined && <PendingEmail profile={profile} answer={answer} />}
      <Details account={account} answer={answer} avatar={avatar} />
      <div className={styles.parts}>
        <Part title="Membership" isOpen={isOpen("membership")}>
          <Membership membership={membership} />
        </Part>
        <Part title="Change password" isOpen={isOpen("password") || refused.password !== undefined}>
          {said?.part === "password" && news}
          <ChangePassword refusal={refused.password} />
        </Part>
        <Part title="Devices" isOpen={isOpen("devices")}>
          {said?.part === "devices" && news}
          <Devices devices={devices} />
        </Part>
        <Part title="Your data" isOpen={isOpen("data")}>
          <YourData />
        </Part>
        <Part title="Close my account" isOpen={isOpen("close") || refused.close !== undefined}>
          <CloseAccount refusal={refused.close} />
        </Part>
      </div>
    </>
  );
}

function sayUnsent(values: Record<string, string>): string {
  const isKept = Object.keys(values).length > 0;
  return `You had been logged out. ${isKept ? "This is what you had typed." : "Please type it again."}`;
}
