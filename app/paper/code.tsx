import { Fragment } from "react";

import styles from "./qr-code.module.css";

/** Dark on light in every scheme, because some cameras read no other. */
export function QrCode({ size, path, label }: { size: number; path: string; label: string }) {
  return (
    <svg
      className={styles.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Breaks only between groups: within one it would be typed wrongly. */
export function CodeGroups({ code }: { code: string }) {
  return [...code.matchAll(/-|[^-]+-?/g)].map(({ 0: group, index: at }) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {group}
    </Fragment>
  ));
}
