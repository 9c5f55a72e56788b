import { useContext } from "react";

import { systemIsLight } from "../../../components/picture.tsx";
import { href } from "../../../frame/paths.ts";
import { SchemeContext } from "../../../frame/scheme.ts";
import { logInPath } from "../login/paths.ts";
import { StepBar } from "./step-bar.tsx";
import { corporatePath, stepPath } from "./steps.ts";
import type { WelcomeScreen } from "./welcome-screen.ts";
import buttons from "../../../components/button.module.css";
import styles from "./welcome.module.css";

/** By section. Part of the page: items' own pictures are for members alone. */
const pictures = import.meta.glob<string>("./*.webp", {
  base: "../../../components/pictures/welcome",
  eager: true,
  query: "?url",
  import: "default",
});

function SectionPicture({ section }: { section: string }) {
  const scheme = useContext(SchemeContext) ?? "system";
  const [night, dusk] = [pictures[`./${section}.webp`], pictures[`./${section}-dusk.webp`]];
  return (
    <picture>
      {scheme === "system" && <source media={systemIsLight} srcSet={dusk} />}
      <img src={scheme === "dawn" ? dusk : night} alt="" width={240} height={180} />
    </picture>
  );
}

/** Step 0: the contents, the authors, the price, and the ways in. */
export function Welcome({ screen, to }: { screen: WelcomeScreen; to: string | undefined }) {
  const { amounts, topics, authors, price, give } = screen;
  return (
    <div className={styles.welcome}>
      <h1 tabIndex={-1}>A quiet place for bad nights</h1>
      <p>{`Help for people who sleep badly${authors ? `, by ${authors}` : ""}. We know how long 3 am can feel.`}</p>
      {amounts.length > 0 && (
        <ul className={styles.amounts}>
          {amounts.map(({ section, count, noun }) => (
            <li key={section}>
              <SectionPicture section={section} />
              <b>{count}</b> {noun}
            </li>
          ))}
        </ul>
      )}
      {topics.length > 0 && (
        <ul className={styles.topics} aria-label="Topics">
          {topics.map((topic) => (
            <li key={topic}>{topic}</li>
          ))}
        </ul>
      )}
      {price && (
        <p className={styles.price}>
          <b>{price}</b> Pay once. It never renews by itself.
        </p>
      )}
      <h2 className={styles.prompt}>Log in or Sign up</h2>
      <p className={styles.entry}>
        <a className={buttons.button} href={href(stepPath(1, to))}>
          Sign up
        </a>{" "}
        <a className={buttons.quiet} href={href(logInPath(to))}>
          Log in
        </a>
      </p>
      <div className={styles.further}>
        <a className={styles.employer} href={href(corporatePath(to))}>
          Have a code from work?
        </a>
        <StepBar step={0} to={to} />
      </div>
      {give && (
        <p>
          <a className={styles.give} href={href("/give")}>
            {give}
          </a>
        </p>
      )}
    </div>
  );
}
