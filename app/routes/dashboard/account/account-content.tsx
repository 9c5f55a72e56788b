import { GoodNews } from "../../../forms/good-news.tsx";
import { refusalOf } from "./account-answer.ts";
import { CONTENT_ID, type AccountProps } from "./account-props.ts";
import { AskForPassword, AskToClose } from "./ask-for-it.tsx";
import { ChangePassword } from "./change-password-form.tsx";
import { CloseAccount } from "./close-account-form.tsx";
import { Details } from "./details.tsx";
import { Devices } from "./devices.tsx";
import { Membership } from "./membership.tsx";
import { Part } from "./part.tsx";
import { PendingEmail } from "./pending-email.tsx";
import { told } from "./told.ts";
import { YourData } from "./your-data.tsx";
import styles from "./account.module.css";

/** What a member sees and changes of themselves. */
export function AccountContent({ account, answer, avatar }: AccountProps) {
  const { profile, membership, devices, unsent, ways, contactEmail } = account;
  const answered = answer && "told" in answer ? answer.told : undefined;
  // A form that was just refused has the word; what led to this page is history then.
  const key = answer ? answered : account.told;
  const said = key && told[key];
  const news = said && <GoodNews sentence={said.sentence} cause={answered && answer} />;
  const refused = {
    password: refusalOf(answer, "password"),
    devices: refusalOf(answer, "devices"),
    close: refusalOf(answer, "close"),
  };
  const isOpen = (part: typeof account.part) => account.part === part || said?.part === part;
  return (
    <>
      {said?.part === "open" && news}
      {unsent && !answer && <p className={styles.notice}>{sayUnsent(unsent)}</p>}
      {profile.pendingEmail !== undefined && <PendingEmail profile={profile} answer={answer} />}
      <Details account={account} answer={answer} avatar={avatar} />
      <div id={CONTENT_ID} className={styles.parts}>
        <Part part="membership" title="Membership" isOpen={isOpen("membership")}>
          <Membership membership={membership} />
        </Part>
        <Part part="password" title="Change password" isOpen={isOpen("password") || refused.password !== undefined}>
          {said?.part === "password" && news}
          {ways.canChangePassword ? <ChangePassword refusal={refused.password} /> : <AskForPassword />}
        </Part>
        <Part part="devices" title="Devices" isOpen={isOpen("devices") || refused.devices !== undefined}>
          {said?.part === "devices" && news}
          <Devices devices={devices} refusal={refused.devices} />
        </Part>
        <Part part="data" title="Your data" isOpen={isOpen("data")}>
          <YourData holdsAll={ways.holdsAll} contactEmail={contactEmail} />
        </Part>
        <Part part="close" title="Close my account" isOpen={isOpen("close") || refused.close !== undefined}>
          {ways.canClose ? <CloseAccount refusal={refused.close} /> : <AskToClose contactEmail={contactEmail} />}
        </Part>
      </div>
    </>
  );
}

function sayUnsent(values: Record<string, string>): string {
  const isKept = Object.keys(values).length > 0;
  return `You had been logged out. ${isKept ? "This is what you had typed." : "Please type it again."}`;
}
