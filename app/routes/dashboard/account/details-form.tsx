import { useState, type ReactNode, type FormEvent } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

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
  onCancel: () => void;
};

/** The details as one form, with the picture. */
export function DetailsForm({ account, avatar, refusal, typed, onCancel }: DetailsFormProps) {
  const { profile, path } = account;
  // Another tab's change is what the next save must be meant to replace.
  const shown = refusal?.now ?? profile;
  const errors = refusal?.echo.fieldErrors ?? {};
  const { isPending, isEmailNew, onInput } = usePending(profile, typed);
  const isPasswordWanted = isEmailNew || errors.currentPassword !== undefined;
  const byNow = (name: "firstName" | "lastName" | "email"): ReactNode =>
    refusal?.now && refusal.now[name] !== typed?.[name] && <>By now: {refusal.now[name]}</>;
  return (
    <>
      <IntentForm
        intent="profile"
        encType="multipart/form-data"
        className={styles.form}
        data-step={undefined}
        onInput={onInput}
      >
        <input type="hidden" name="shownFirstName" value={shown.firstName} />
        <input type="hidden" name="shownLastName" value={shown.lastName} />
        <input type="hidden" name="shownEmail" value={shown.email} />
        <div className={styles.names}>
          <Field
            label="First Name"
            name="firstName"
            autoComplete="given-name"
            required
            hint={byNow("firstName")}
            defaultValue={typed?.firstName ?? profile.firstName}
            errors={errors.firstName}
          />
          <Field
            label="Surname"
            name="lastName"
            autoComplete="family-name"
            required
            hint={byNow("lastName")}
            defaultValue={typed?.lastName ?? profile.lastName}
            errors={errors.lastName}
          />
        </div>
        <Field
          label="Email Address"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          hint={byNow("email")}
          defaultValue={typed?.email ?? profile.email}
          errors={errors.email}
        />
        {isPasswordWanted && (
          <Field
            label="Current password"
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            hint="So that nobody but you changes your email address."
            errors={errors.currentPassword}
          />
        )}
        <PictureField avatar={avatar} errors={errors.picture} />
        <div className={styles.actions}>
          <Cancel path={path} isPending={isPending} onCancel={onCancel} />
          <Submit
            intent="profile"
            label={
              <span>
                Save<span className={styles.smallOnly}> Changes</span>
              </span>
            }
            pending="Saving..."
          />
        </div>
      </IntentForm>
      {avatar && (
        <IntentForm intent="remove-picture" id="remove-picture" data-step={undefined} hidden>
          {null}
        </IntentForm>
      )}
    </>
  );
}

/** Whether something waits to be saved, and whether that is another address. */
function usePending(profile: AccountScreen["profile"], typed: DetailsFormProps["typed"]) {
  const names = ["firstName", "lastName", "email"] as const;
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
