import type { ReactNode } from "react";

import { CodeGroups, QrCode } from "./code.tsx";
import { Mark } from "../components/page-frame.tsx";
import nest from "../components/pictures/scenes/hedgerow-nest-1280.avif?url";
import styles from "./code-sheet.module.css";

type CodeSheetProps = {
  title: ReactNode;
  productName: string;
  code: string;
  /** Where the code is typed. */
  address: string;
  /** Between address and code. */
  how?: string;
  /** Leads to the address with the code. */
  qrCode: { size: number; path: string };
  /** Beside the product's name. */
  foot?: ReactNode;
  /** Above the QR code. */
  children: ReactNode;
};

/** One sheet of A4 with a code, in squares and in letters. */
export function CodeSheet({ title, productName, code, address, how = "", qrCode, foot, children }: CodeSheetProps) {
  return (
    <article className={styles.sheet}>
      <img className={styles.picture} src={nest} alt="" width={1280} height={720} />
      <h1 tabIndex={-1}>{title}</h1>
      {children}
      <QrCode {...qrCode} label={`QR code of ${address} with the code`} />
      <p>
        Or open <strong>{address}</strong>
        {how} and type this code:
      </p>
      <p className={styles.code}>
        <CodeGroups code={code} />
      </p>
      <div className={styles.foot}>
        <p className={styles.name}>
          <Mark /> {productName}
        </p>
        {foot}
      </div>
    </article>
  );
}
