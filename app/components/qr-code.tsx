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
