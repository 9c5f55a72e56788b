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
        If your company pays for your {productName}, it sees how many people have joined. It never sees who.
      </p>
      <section className={styles.section}>
        <h2>What is never shown</h2>
        <ul className={styles.list}>
          <li>Your name, your email address, or that you have joined at all.</li>
          <li>What you watch, read, search for or save, and when or from where you do.</li>
          <li>The day on which you joined or left, and how long you stay.</li>
          <li>Any number of fewer than five people, or any two numbers that differ by fewer than five.</li>
        </ul>
      </section>
      <section className={styles.section}>
        <h2>How we count</h2>
        <p>
          Once a month, after the month has ended, we count seats and round down to a multiple of five. Nineteen people
          are “15 or more”, and four are “fewer than five”, as none would be. We never change a figure afterwards, so
          the company cannot see it move from day to day. The page shows these figures and the company&rsquo;s own
          contract. It cannot read our members&rsquo; details.
        </p>
        <p>
          When people join or leave, a figure may pass a five. A company that already knows about nearly all of its
          people can learn a little from that: one more than it knew of. It cannot learn who.
        </p>
      </section>
      <section className={styles.sample} aria-labelledby="sample">
        <h2 id="sample">A company&rsquo;s page, with sample figures</h2>
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
