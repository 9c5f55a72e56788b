import type { CompanyView } from "../../../server/money/companies/page/company-view.ts";
import type { Route } from "./+types/what-your-employer-sees.ts";
import { CompanyPage, useProductName } from "./company-page.tsx";
import { toFigures } from "./company-texts.ts";
import { Figures } from "./figures.tsx";
import styles from "./company.module.css";

export function headers(): HeadersInit {
  return { "X-Robots-Tag": "all" };
}

/** The only screen that needs no log-in. */
export function loader() {
  return toFigures(sample);
}

/** The company's page with sample figures, and what is never on it. */
export default function WhatYourEmployerSees({ loaderData: figures }: Route.ComponentProps) {
  const productName = useProductName();
  return (
    <CompanyPage title="What your employer sees">
      <p className={styles.lead}>
        If your company pays for your {productName}, it sees roughly how many people have joined. It never sees who.
      </p>
      <section className={styles.section}>
        <h2>What we never show</h2>
        <ul className={styles.list}>
          <li>Your name, your email address, or whether you've joined.</li>
          <li>What you watch, read, search for or save, or when and where you do it.</li>
          <li>The day you joined or left, or how long you stay.</li>
          <li>Any number below five, or any change of fewer than five people.</li>
        </ul>
      </section>
      <section className={styles.section}>
        <h2>How we count</h2>
        <p>
          Once a month, after it ends, we count seats and round down to the nearest 5. Nineteen people show as “15 or
          more”. Four show as “fewer than five”, and so does none. We never change a figure later, so your company can't
          watch it move from day to day. Its page shows these figures and its own contract. It can't show our members'
          details.
        </p>
        <p>
          When people join or leave, a figure may pass a multiple of 5. A company that already knows about nearly all of
          its members could then tell that there is one more, but never who.
        </p>
      </section>
      <section className={styles.sample} aria-labelledby="sample">
        <h2 id="sample">A company's page, with sample figures</h2>
        <Figures figures={figures} isSample />
      </section>
    </CompanyPage>
  );
}

const september = new Date("2026-09-01T00:00:00.000Z");

const sample: CompanyView = {
  companyId: 0,
  name: "Sample Ltd",
  accounts: 60,
  priceInPence: 180_000,
  next: undefined,
  state: "live",
  graceEndsAt: undefined,
  code: "SAMPLE-CODE",
  codeFault: undefined,
  collections: [
    {
      period: 0,
      amountInPence: 180_000,
      state: "paid-out",
      dueAt: september,
      endsAt: new Date("2027-08-31T00:00:00.000Z"),
    },
  ],
  months: [
    { month: "2026-11", joined: 0, seatsTaken: 20 },
    { month: "2026-10", joined: 5, seatsTaken: 20 },
    { month: "2026-09", joined: 15, seatsTaken: 15 },
  ],
};
