import type { HelpCard, HelpLine } from "../../server/content/urgent-help/matcher.ts";
import styles from "./urgent-help.module.css";

/** Numbers to call for a person in despair or danger. `isHeading`: its heading is the page's own. */
export function UrgentHelp({ card, isHeading = false }: { card: HelpCard; isHeading?: boolean }) {
  const { heading, opening, contacts, note } = card;
  return (
    <section className={styles.help} aria-label={heading}>
      {isHeading ? <h1 tabIndex={-1}>{heading}</h1> : <p className={styles.heading}>{heading}</p>}
      <p>{opening}</p>
      <ul>
        {contacts.map(({ name, number, tel, about }) => (
          <li key={name}>
            <a href={`tel:${tel}`}>
              {name} <b>{number}</b>
            </a>
            <span>{about}</span>
          </li>
        ))}
      </ul>
      <p className={styles.note}>{note}</p>
    </section>
  );
}

/** A sentence with one number, where no card is shown. */
export function QuietHelp({ line: { text, contact } }: { line: HelpLine }) {
  const [before, after] = text.split("{first}");
  return (
    <p className={styles.quiet}>
      {before}
      <a href={`tel:${contact.tel}`}>{`${contact.name}, ${contact.number}`}</a>
      {after}
    </p>
  );
}
