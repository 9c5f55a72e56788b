import { getFormProps, type FieldMetadata, type FormMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import { useLocation } from "react-router";

import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { href } from "../../../frame/paths.ts";
import buttons from "../../../components/button.module.css";
import styles from "./provider-page.module.css";

/** It resembles no real provider. */
export function ProviderPage({ title, isWrong, children }: { title: string; isWrong?: boolean; children: ReactNode }) {
  return (
    <>
      <title>{`${isWrong ? "Error: " : ""}${title} – Demo payment provider`}</title>
      <header className={styles.banner}>
        <strong>Demo payment provider</strong>
        This is a stand-in for a real one. No money moves.
      </header>
      <main id="main" className={styles.page}>
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </main>
    </>
  );
}

type ProviderFormProps = { form: FormMetadata; fields: FieldMetadata<string>[]; children: ReactNode };

export function ProviderForm({ form, fields, children }: ProviderFormProps) {
  return (
    <>
      <ErrorSummary form={form} fields={fields} />
      <form
        method="post"
        action={usePageAddress()}
        className={styles.form}
        role="none"
        {...getFormProps(form, { ariaAttributes: false })}
      >
        {children}
      </form>
    </>
  );
}

/** In place of a payment that was finished or stopped. */
export function OverPage({ returnUrl }: { returnUrl: string }) {
  return (
    <ProviderPage title="There is nothing to do here">
      <p>You've already finished or stopped this.</p>
      <p>
        <a className={buttons.button} href={returnUrl}>
          Go back
        </a>
      </p>
    </ProviderPage>
  );
}

/** No address of ours is longer; a made-up one is not repeated in each form. */
const MAX_LENGTH = 1000;

/**
 * For a form that is sent to this page. Some text browsers drop the query of a form without an address, and with it the
 * step or the dialog.
 */
export function usePageAddress(): string | undefined {
  const { pathname, search } = useLocation();
  const address = href(pathname + search);
  return address.length <= MAX_LENGTH ? address : undefined;
}
