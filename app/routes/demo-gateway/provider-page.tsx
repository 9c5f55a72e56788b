import { getFormProps, type FieldMetadata, type FormMetadata } from "@conform-to/react";
import type { ReactNode } from "react";

import { ErrorSummary } from "../../forms/error-summary.tsx";
import { usePageAddress } from "../../forms/use-page-address.ts";
import buttons from "../../ui/button.module.css";
import styles from "./provider-page.module.css";

/** A page of the demo's payment provider: the other side, which no real provider's page could be mistaken for. */
export function ProviderPage({ title, isWrong, children }: { title: string; isWrong?: boolean; children: ReactNode }) {
  return (
    <>
      <title>{`${isWrong ? "Error: " : ""}${title} – Demo payment provider`}</title>
      <header className={styles.banner}>
        <strong>Demo payment provider</strong>
        This stands for a real one. No money moves here.
      </header>
      <main id="main" className={styles.page}>
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </main>
    </>
  );
}

type ProviderFormProps = { form: FormMetadata; fields: FieldMetadata<string>[]; children: ReactNode };

/** The form of such a page, and above it what was wrong with it. */
export function ProviderForm({ form, fields, children }: ProviderFormProps) {
  return (
    <>
      <ErrorSummary form={form} fields={fields} />
      <form
        method="post"
        action={usePageAddress()}
        className={styles.form}
        {...getFormProps(form, { ariaAttributes: false })}
      >
        {children}
      </form>
    </>
  );
}

/** What is left of a page once its payer is done with it, in whatever way. */
export function OverPage({ returnUrl }: { returnUrl: string }) {
  return (
    <ProviderPage title="There is nothing to do here">
      <p>This was finished or stopped already.</p>
      <p>
        <a className={buttons.button} href={returnUrl}>
          Go back
        </a>
      </p>
    </ProviderPage>
  );
}
