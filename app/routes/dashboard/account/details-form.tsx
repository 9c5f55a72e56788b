import { useState, type FormEvent } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import type { ProfileView } from "../../../../server/accounts/profile.ts";
import { Field } from "../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { textOf } from "../../../forms/text-of.ts";
import { href } from "../../../paths.ts";
import buttons from "../../../ui/button.module.css";
import type { Refusal } from "./account-answer.ts";
import type { AccountScreen } from "./account-screen.ts";
import { PictureField } from "./picture-field.tsx";
import styles from "./account.module.css";

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
export function DetailsForm({ account, avatar, refusal, typed, onSubmit, onCancel }: DetailsFormProps) {
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
