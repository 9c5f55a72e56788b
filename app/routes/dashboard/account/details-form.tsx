import { type FormEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import type { ProfileView } from "../../../../server/accounts/profile.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { Field } from "../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { textOf } from "../../../forms/text-of.ts";
import { href } from "../../../paths.ts";
import { type Refusal, refusalOf, savedOf } from "./account-answer.ts";
import type { AccountProps, AccountScreen } from "./account-screen.ts";
import { PictureField } from "./picture-field.tsx";
import buttons from "../../../ui/button.module.css";
import styles from "./account.module.css";

/** Names, address and picture: what is typed is pending until it is saved, and Cancel drops it (spec, section 4). */
export function Details({ account, answer, avatar }: AccountProps) {
  const [cancelled, setCancelled] = useState({ count: 0, answer: undefined as typeof answer });
  const { ref, typed, remember, noteSent } = useTypedDetails(account, savedOf(answer));
  const refusal = answer === cancelled.answer ? undefined : refusalOf(answer, "profile");
  const typedBefore = typed ?? (cancelled.count > 0 ? undefined : account.unsent);

  // The link that was pressed went with the form that it stood in.
  useEffect(() => {
    if (cancelled.count > 0) ref.current?.querySelector<HTMLElement>("form a")?.focus();
  }, [cancelled.count, ref]);

  function cancel(): void {
    forget();
    setCancelled({ count: cancelled.count + 1, answer });
  }

  if (!account.canChange) return <KnownDetails account={account} />;
  return (
    <div ref={ref} className={styles.details} onInput={remember}>
      {refusal?.isPictureKept && <p className={styles.notice}>Your picture is saved.</p>}
      <ErrorSummary echo={refusal?.echo} />
      <DetailsForm
        // What was saved or cancelled makes the form anew: only what was typed since stands in it.
        key={JSON.stringify([account.profile, avatar, cancelled.count])}
        account={account}
        avatar={avatar}
        refusal={refusal}
        typed={refusal ? { ...typedBefore, ...refusal.echo.values } : typedBefore}
        onSubmit={noteSent}
        onCancel={cancel}
      />
    </div>
  );
}

/** For who has no active subscription: what we know, and who changes it. */
function KnownDetails({ account: { profile, contactEmail } }: { account: AccountScreen }) {
  const facts = [
    ["First Name", profile.firstName],
    ["Surname", profile.lastName],
    ["Email Address", profile.email],
  ];
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.muted}>
        Without an active subscription you cannot change these yourself. Write to{" "}
        <a href={`mailto:${contactEmail}`}>{contactEmail}</a> and we will change them for you.
      </p>
    </>
  );
}

type DetailsFormProps = {
  account: AccountScreen;
  avatar: string | undefined;
  refusal: Refusal | undefined;
  /** What was typed before this form was there. */
  typed: Partial<Record<string, string>> | undefined;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onCancel: () => void;
};

/** The details as one form, with the picture. */
function DetailsForm({ account, avatar, refusal, typed, onSubmit, onCancel }: DetailsFormProps) {
  const { profile, path } = account;
  // Another tab's change is what the next save must be meant to replace.
  const shown = refusal?.now ?? profile;
  const errors = refusal?.echo.fieldErrors ?? {};
  const { isPending, isEmailNew, onInput } = usePending(profile, typed);
  return (
    <>
      <IntentForm
        intent="profile"
        place="account-title"
        encType="multipart/form-data"
        className={styles.form}
        data-step={undefined}
        onInput={onInput}
        onSubmit={onSubmit}
      >
        <input type="hidden" name="shownFirstName" value={shown.firstName} />
        <input type="hidden" name="shownLastName" value={shown.lastName} />
        <input type="hidden" name="shownEmail" value={shown.email} />
        <TextFields profile={profile} refusal={refusal} typed={typed} />
        {(isEmailNew || errors.currentPassword) && (
          <Field
            label="Current password"
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            hint="So that only you can change your email address."
            errors={errors.currentPassword}
          />
        )}
        <PictureField avatar={avatar} errors={errors.picture} />
        <div className={styles.actions}>
          <Cancel path={path} isPending={isPending} onCancel={onCancel} />{" "}
          <Submit intent="profile" label={<SaveLabel />} pending="Saving..." />
        </div>
      </IntentForm>
      {avatar && (
        <IntentForm intent="remove-picture" id="remove-picture" place="account-title" data-step={undefined} hidden />
      )}
    </>
  );
}

/** "Save Changes" on small screens (spec, section 2). */
function SaveLabel() {
  return (
    <span>
      Save<span className={styles.smallOnly}> Changes</span>
    </span>
  );
}

type TextFieldsProps = Pick<DetailsFormProps, "refusal" | "typed"> & { profile: ProfileView };

/** Names and address; what another window made of them stands beside what was typed. */
function TextFields({ profile, refusal, typed }: TextFieldsProps) {
  const errors = refusal?.echo.fieldErrors ?? {};
  const stateOf = (name: (typeof names)[number]) => ({
    name,
    required: true,
    hint: refusal?.now && refusal.now[name] !== typed?.[name] ? `By now: ${refusal.now[name]}` : undefined,
    defaultValue: typed?.[name] ?? profile[name],
    errors: errors[name],
  });
  return (
    <>
      <div className={styles.names}>
        <Field label="First Name" autoComplete="given-name" {...stateOf("firstName")} />
        <Field label="Surname" autoComplete="family-name" {...stateOf("lastName")} />
      </div>
      <Field label="Email Address" type="email" inputMode="email" autoComplete="email" {...stateOf("email")} />
    </>
  );
}

const names = ["firstName", "lastName", "email"] as const;

/** Whether something waits to be saved, and whether that is another address. */
function usePending(profile: ProfileView, typed: DetailsFormProps["typed"]) {
  const [isPending, setIsPending] = useState(typed !== undefined);
  const isOther = (email = profile.email) => email.trim().toLowerCase() !== profile.email.toLowerCase();
  const [isEmailNew, setIsEmailNew] = useState(isOther(typed?.email));
  function onInput({ currentTarget }: FormEvent<HTMLFormElement>): void {
    const fields = new FormData(currentTarget);
    const picture = fields.get("picture");
    const isChosen = picture instanceof File && picture.name !== "";
    setIsPending(isChosen || names.some((name) => textOf(fields, name) !== profile[name]));
    setIsEmailNew(isOther(textOf(fields, "email")));
  }
  return { isPending, isEmailNew, onInput };
}

type CancelProps = { path: string; isPending: boolean; onCancel: () => void };

/** Drops what is pending. Without script it is a link to the page as it is saved. */
function Cancel({ path, isPending, onCancel }: CancelProps) {
  const isReady = useHydrated();
  return (
    <a
      className={`${buttons.quiet} ${styles.cancel}`}
      href={href(path)}
      aria-disabled={isReady ? !isPending : undefined}
      data-pending={isPending || undefined}
      data-stay=""
      onClick={onCancel}
    >
      Cancel
    </a>
  );
}

/** The fields of the details that may be kept: a password and a file never are. */
const kept = ["firstName", "lastName", "email"] as const;

type TypedDetails = Partial<Record<(typeof kept)[number], string>>;

/**
 * What a member typed and did not save, kept in this page's memory and nowhere else: a slip of the Escape key costs nobody their words.
 * Fields that were left alone are not among it: what became of them elsewhere meanwhile would be put back in silence.
 */
let unsaved: Unsaved | undefined;

type Unsaved = {
  whose: number;
  /** What is not as we know it. */
  typed: TypedDetails | undefined;
  /** What is not as it was sent last. */
  since: TypedDetails | undefined;
};

type Place = {
  /** For what holds the form. */
  ref: RefObject<HTMLDivElement | null>;
  typed: TypedDetails | undefined;
  /** To be called whenever something was typed: the form is made anew when what is known of the member changes. */
  remember: () => void;
  /** To be called when the form is sent: its fields stay open meanwhile, and what is typed into them then waits for the next save. */
  noteSent: (event: FormEvent<HTMLFormElement>) => void;
};

/** `saved` is the answer to a form that was saved, if there was one: what was sent counts as typed no more. */
function useTypedDetails(account: AccountScreen, saved: object | undefined): Place {
  const ref = useRef<HTMLDivElement>(null);
  const sent = useRef<TypedDetails>(undefined);
  const latest = useRef(account);
  useLayoutEffect(() => {
    latest.current = account;
    sent.current = undefined;
    // A form may be made with words in it: by an answer, or by who was logged out over it.
    rememberIn(ref.current, account);
  }, [account]);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => rememberIn(element, latest.current);
  }, []);

  const remember = () => rememberIn(ref.current, account, sent.current);
  function noteSent({ currentTarget }: FormEvent<HTMLFormElement>): void {
    // A second press sends nothing.
    if (currentTarget.ariaBusy === "true") return;
    sent.current = readKept(currentTarget);
    remember();
  }
  // Somebody else may have logged in on the same page; and an address may change.
  const own = unsaved?.whose === account.memberId ? unsaved : undefined;
  return { ref, typed: saved ? own?.since : own?.typed, remember, noteSent };
}

function rememberIn(element: HTMLElement | null, { memberId, profile }: AccountScreen, sent?: TypedDetails): void {
  const form = element?.querySelector("form");
  const fields = form ? readKept(form) : profile;
  unsaved = { whose: memberId, typed: pickOther(fields, profile), since: pickOther(fields, sent ?? profile) };
}

function forget(): void {
  unsaved = undefined;
}

function readKept(form: HTMLFormElement): TypedDetails {
  const fields = new FormData(form);
  return Object.fromEntries(kept.map((name) => [name, textOf(fields, name)]));
}

function pickOther(fields: TypedDetails, known: TypedDetails): TypedDetails | undefined {
  const others = kept.filter((name) => fields[name] !== known[name]);
  return others.length > 0 ? Object.fromEntries(others.map((name) => [name, fields[name]])) : undefined;
}
