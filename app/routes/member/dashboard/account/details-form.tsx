import { type FormEvent, useEffect, useState } from "react";
import { Link } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import {
  type ProfileField,
  profileFieldNames,
  profileFields,
} from "../../../../../server/members/accounts/profile-fields.ts";
import { useCheckedForm } from "../../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../../forms/error-summary.tsx";
import { Field, Username } from "../../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../../forms/intent-form.tsx";
import { type AccountRefusal, findRefusal, toShownName } from "./account-answer.ts";
import type { AccountProps, AccountScreen } from "./account-screen.ts";
import type { Details } from "./actions.ts";
import { ProveByPasskey } from "./passkeys.tsx";
import { PictureField } from "./picture-field.tsx";
import { forgetTyped, toAscii, type TypedDetails, useTypedDetails } from "./typed-details.ts";
import buttons from "../../../../components/button.module.css";
import styles from "./account.module.css";

/** Typed text is pending until it is saved, and Cancel drops it (docs/behaviour.md, My Account). */
export function DetailsRow({ account, answer, avatar }: AccountProps) {
  const [cancelled, setCancelled] = useState({ count: 0, answer: undefined as typeof answer });
  const isSaved = answer !== undefined && "flash" in answer && ["saved", "email-elsewhere"].includes(answer.flash);
  const { ref, typed, remember, noteSent } = useTypedDetails(account, isSaved);
  const refusal = answer === cancelled.answer ? undefined : findRefusal(answer, "profile");
  const typedBefore = typed ?? (cancelled.count > 0 ? undefined : account.unsent);

  // The form is new, so the pressed link is gone, and with it the focus.
  useEffect(() => {
    if (cancelled.count > 0) ref.current?.querySelector<HTMLElement>("form a")?.focus();
  }, [cancelled.count, ref]);

  function cancel(): void {
    forgetTyped();
    setCancelled({ count: cancelled.count + 1, answer });
  }

  if (!account.canChange) return <KnownDetails account={account} />;
  return (
    <div ref={ref} className={styles.details} onInput={remember}>
      {refusal?.isPictureSaved && <p className={styles.note}>Your picture is saved.</p>}
      <DetailsForm
        // Saving or cancelling makes a new form, with only what was typed since.
        key={JSON.stringify([account.profile, avatar, cancelled.count])}
        account={account}
        avatar={avatar}
        refusal={refusal}
        typed={typedBefore}
        onSubmit={noteSent}
        onCancel={cancel}
      />
    </div>
  );
}

function KnownDetails({ account: { profile, contactEmail } }: { account: AccountScreen }) {
  return (
    <>
      <dl className={styles.facts}>
        {profileFieldNames.map((name) => (
          <div key={name}>
            <dt>{profileFields[name].label}</dt>
            <dd>{profile[name]}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.muted}>
        You need an active subscription to change these. Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>{" "}
        and we'll change them for you.
      </p>
    </>
  );
}

type DetailsFormProps = {
  account: AccountScreen;
  avatar: string | undefined;
  refusal: AccountRefusal | undefined;
  /** Typed before this form was made. */
  typed: TypedDetails | undefined;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onCancel: () => void;
};

type DetailsFields = Details & { picture?: File };

function DetailsForm({ account, avatar, refusal, typed, onSubmit, onCancel }: DetailsFormProps) {
  const { profile } = account;
  const isReady = useHydrated();
  // After a change in another tab the next save replaces that one.
  const shown = refusal?.now ?? profile;
  const [form, fields] = useCheckedForm<DetailsFields>({
    id: "profile",
    answer: refusal,
    defaultValue: { ...profile, ...typed },
    onSubmit,
  });
  const { currentPassword, picture } = fields;
  const isPending =
    picture.dirty || profileFieldNames.some((name) => toAscii(fields[name].value) !== toAscii(profile[name]));
  return (
    <>
      <ErrorSummary form={form} fields={[...profileFieldNames.map((name) => fields[name]), currentPassword, picture]} />
      <IntentForm
        intent="profile"
        form={form}
        anchor="account-open"
        encType="multipart/form-data"
        className={styles.form}
        replace
      >
        {profileFieldNames.map((name) => (
          <input key={name} type="hidden" name={toShownName(name)} value={shown[name]} />
        ))}
        <TextFields fields={fields} account={account} refusal={refusal} />
        <PictureField field={picture} avatar={avatar} />
        <div className={styles.actions}>
          {/* Without script it is a link to the saved page. */}
          <Link
            className={`${buttons.quiet} ${styles.cancel}`}
            to={account.path}
            aria-disabled={isReady ? !isPending : undefined}
            data-pending={isPending || undefined}
            preventScrollReset
            onClick={onCancel}
          >
            Cancel
          </Link>{" "}
          <Submit intent="profile" label={<SaveLabel />} pending="Saving..." />
        </div>
      </IntentForm>
      {avatar && <IntentForm intent="remove-picture" id="remove-picture" anchor="account-open" replace hidden />}
    </>
  );
}

type TextFieldsProps = {
  fields: ReturnType<typeof useCheckedForm<DetailsFields>>[1];
  account: AccountScreen;
  refusal: AccountRefusal | undefined;
};

/** Values that another window saved are hints beside the typed ones. */
function TextFields({ fields, account, refusal }: TextFieldsProps) {
  const { profile, isPasswordOff, passkeys } = account;
  const { email, currentPassword } = fields;
  const isEmailNew = toAscii(email.value).toLowerCase() !== toAscii(profile.email).toLowerCase();
  const toHint = (name: keyof TypedDetails) => {
    const sent = refusal?.result.initialValue?.[name];
    const isSame = typeof sent === "string" && toAscii(sent) === toAscii(refusal?.now?.[name]);
    return refusal?.now && !isSame && `It's now: ${refusal.now[name]}`;
  };
  const toLook = (name: ProfileField) => {
    const { label, autoComplete } = profileFields[name];
    return { label, autoComplete, hint: toHint(name) };
  };
  return (
    <>
      <div className={styles.names}>
        {profileFieldNames
          .filter((name) => profileFields[name].kind === "name")
          .map((name) => (
            <Field key={name} field={fields[name]} {...toLook(name)} />
          ))}
      </div>
      <Field field={email} type="email" inputMode="email" {...toLook("email")} />
      {isPasswordOff && isEmailNew && !passkeys?.isFresh && (
        <ProveByPasskey row="open" why="To change your email address, confirm that it's you with a passkey." />
      )}
      {!isPasswordOff && (isEmailNew || currentPassword.errors) && (
        <>
          <Username email={profile.email} />
          <Field
            field={currentPassword}
            label="Current password"
            type="password"
            autoComplete="current-password"
            required={false}
            hint="So that only you can change your email address."
          />
        </>
      )}
    </>
  );
}

/** "Save Changes" on small screens. */
function SaveLabel() {
  return (
    <span>
      Save<span className={styles.smallOnly}> Changes</span>
    </span>
  );
}
