import { useHydrated } from "remix-utils/use-hydrated";

import buttons from "../../components/button.module.css";

/** Without script a browser prints by its own menu. */
export function PrintButton() {
  const canPrint = useHydrated();
  if (!canPrint) return null;
  return (
    <button type="button" className={buttons.quiet} onClick={() => window.print()}>
      Print
    </button>
  );
}
