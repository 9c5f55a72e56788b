import type { CompanyFigures } from "./company-figures.ts";
import { Figures } from "./figures.tsx";
import styles from "./company.module.css";

type EmployerSeesProps = { figures: CompanyFigures; productName: string };

/** The public page about what a company is shown: its page with sample figures, and what is never on it. */
export function EmployerSees({ figures, productName }: EmployerSeesProps) {
  return (
    <>
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
    </>
  );
}
