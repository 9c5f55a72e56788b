import { href } from "../paths.ts";
import buttons from "./button.module.css";
import styles from "./pages.module.css";

type PagesProps = { page: number; pageCount: number; pathOf: (page: number) => string };

/** The way through a list that has more than one page. */
export function Pages({ page, pageCount, pathOf }: PagesProps) {
  if (pageCount < 2) return null;
  return (
    <nav className={styles.pages} aria-label="Pages">
      {page > 1 && (
        <a className={buttons.quiet} href={href(pathOf(page - 1))} rel="prev">
          Previous
        </a>
      )}
      <p>
        Page {page} of {pageCount}
      </p>
      {page < pageCount && (
        <a className={buttons.quiet} href={href(pathOf(page + 1))} rel="next">
          Next
        </a>
      )}
    </nav>
  );
}
