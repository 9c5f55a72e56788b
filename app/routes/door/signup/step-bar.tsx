import { Link } from "react-router";

import { BackLink } from "../../../components/links.tsx";
import { Icon } from "../../../components/icons.tsx";
import { href } from "../../../frame/paths.ts";
import { logInPath } from "../login/paths.ts";
import { renewPath, type Step, stepPath } from "./steps.ts";
import buttons from "../../../components/button.module.css";
import styles from "./step-bar.module.css";
import steps from "./step.module.css";

const back = `${buttons.pill} ${styles.back}`;
const next = `${buttons.pill} ${styles.next}`;

type StepBarProps = {
  step: Step;
  to: string | undefined;
  /** A renewal has no step before the plans, and a payment cannot be undone. */
  canGoBack?: boolean;
  /** A gift has its plan, and is paid for. */
  isGift?: boolean;
};

/** Forward only from the welcome: each later step has to be earned. */
export function StepBar({ step, to, canGoBack = step > 0, isGift = false }: StepBarProps) {
  const progress = isGift
    ? { labels: ["Details", "Your gift", "Done"], at: Math.max(1, step - 1) }
    : { labels: ["Details", "Plan", "Payment", "Done"], at: step };
  if (step === 4) return <Progress {...progress} />;
  const before = (isGift && step === 3 ? 1 : step - 1) as Step;
  return (
    <nav className={styles.bar} aria-label="Steps">
      {canGoBack ? (
        <BackLink className={back} to={stepPath(before, to)}>
          <Back />
        </BackLink>
      ) : (
        <span className={back} role="link" aria-disabled="true">
          <Back />
        </span>
      )}{" "}
      {step > 0 && <Progress {...progress} />}
      {step === 0 ? (
        <a className={next} href={href(stepPath(1, to))}>
          <Next />
        </a>
      ) : (
        <span className={next} role="link" aria-disabled="true">
          <Next />
        </span>
      )}
    </nav>
  );
}

function Back() {
  return (
    <>
      <Icon name="back" />
      <span className={styles.word}>Back</span>
    </>
  );
}

function Next() {
  return (
    <>
      <span className={styles.word}>Next</span>
      <Icon name="forward" />
    </>
  );
}

function Progress({ labels, at }: { labels: string[]; at: number }) {
  return (
    <ol className={styles.progress} aria-label="Progress">
      {labels.map((label, index) => (
        <li
          key={label}
          className={index + 1 < at ? styles.done : undefined}
          aria-current={index + 1 === at ? "step" : undefined}
        >
          {label}
        </li>
      ))}
    </ol>
  );
}

/** The steps of a gift (`/give`). `back`: the path of the one before. */
export function GiveBar({ at, back: path }: { at: 1 | 2 | 3; back?: string }) {
  const progress = <Progress labels={["Your gift", "Payment", "Done"]} at={at} />;
  if (path === undefined) return progress;
  return (
    <nav className={styles.bar} aria-label="Steps">
      <BackLink className={back} to={path}>
        <Back />
      </BackLink>{" "}
      {progress}
    </nav>
  );
}

/** Opens the terms in other tabs, so that typed text stays. */
export function LegalNote() {
  return (
    <p className={steps.quiet}>
      See our <LegalLink path="/terms" label="terms" /> and <LegalLink path="/privacy" label="privacy notice" />.
    </p>
  );
}

function LegalLink({ path, label }: { path: string; label: string }) {
  return (
    <a href={href(path)} target="_blank">
      {label}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}

export type Fact = { label: string; value: string };

export function fact(label: string, value: string): Fact {
  return { label, value };
}

export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={steps.facts}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** For an address with an account: logs in, and renews an ended membership. */
export function LogInLink({ to }: { to: string | undefined }) {
  return (
    <p>
      <Link className={steps.login} to={logInPath(renewPath(to))}>
        Log in instead
      </Link>
    </p>
  );
}
