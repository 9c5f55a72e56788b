import { Link } from "react-router";

import { Mark } from "../../components/page-frame.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import type { CompanyScreen } from "./company-screen.ts";
import { CodeGroups } from "./figures.tsx";
import { PrintButton } from "./print-button.tsx";
import buttons from "../../components/button.module.css";
import styles from "./company.module.css";

type PosterProps = Extract<CompanyScreen, { name: "poster" }> & { productName: string };

/** A sheet to print and put up at work: how to join, and that the employer never sees who has joined. */
export function Poster({ company, code, address, seesAddress, qrCode, backPath, productName }: PosterProps) {
  return (
    <>
      <article className={`${styles.sheet} ${styles.poster}`}>
        <header className={styles.posterHead}>
          <Mark />
          <p>{productName}</p>
        </header>
        <h1 tabIndex={-1}>Sleep better. {company} pays.</h1>
        <ol className={styles.steps}>
          <li>
            Open <strong>{address}</strong>
          </li>
          <li>Choose “Corporate”, and type this code:</li>
        </ol>
        <p className={styles.posterCode}>
          <CodeGroups code={code} />
        </p>
        <p>Or scan this, which fills in the code for you:</p>
        <QrCode {...qrCode} label={`QR code of ${address} with the code`} />
        <p>
          Your employer sees how many have joined, counted in fives once a month. Never who, and nothing of what you do:{" "}
          <span className={styles.address}>{seesAddress}</span>
        </p>
      </article>
      <p className={styles.paperTools}>
        <Link className={buttons.quiet} to={backPath}>
          Back
        </Link>
        <PrintButton />
      </p>
    </>
  );
}
