import { href } from "../frame/paths.ts";
import buttons from "./button.module.css";
import styles from "./pages.module.css";

type PagesProps = { page: number; pageCount: number; toPath: (page: number) => string };

export function Pages({ page, pageCount, toPath }: PagesProps) {
  if (pageCount < 2) return null;
  return (
    <nav className={styles.pages} aria-label="Pages">
      {page > 1 && (
        <a className={buttons.quiet} href={href(toPath(page - 1))} rel="prev">
          Previous
        </a>
      )}
      <p>{`Page ${page} of ${pageCount}`}</p>
      {page < pageCount && (
        <a className={buttons.quiet} href={href(toPath(page + 1))} rel="next">
          Next
        </a>
      )}
    </nav>
  );
}
