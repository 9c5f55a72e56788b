import { useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { drawIcon, Icon } from "../../../components/icons.tsx";
import buttons from "../../../components/button.module.css";
import styles from "./copy-button.module.css";

/** Its space is reserved until script runs. Browsers have a clipboard only where the site has a certificate. */
export function CopyButton({ text, what, isLabelled = false }: { text: string; what: string; isLabelled?: boolean }) {
  const isReady = useHydrated() && "clipboard" in navigator;
  const [isCopied, setIsCopied] = useState(false);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    );
  }
  return (
    <>
      <button
        type="button"
        className={`${isLabelled ? buttons.quiet : `${buttons.round} ${styles.inLine}`} ${styles.copy} with-script`}
        inert={!isReady}
        aria-label={`Copy the ${what}`}
        title={`Copy the ${what}`}
        onClick={() => void copy()}
        onBlur={() => setIsCopied(false)}
      >
        {isCopied ? <Icon name="check" /> : drawIcon(sheets)}
        {isLabelled && <span>{isCopied ? "Copied" : "Copy"}</span>}
      </button>
      <span role="status" className="visually-hidden">
        {isCopied && "Copied"}
      </span>
    </>
  );
}

const sheets = (
  <>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M15 9V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h3" />
  </>
);
