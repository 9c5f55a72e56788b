import type { ReactNode } from "react";

/** 24 by 24, in the colour of the text beside them, and silent for screen readers. */
export type IconName = keyof typeof drawings;

const drawings = {
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  close: <path d="M6 6l12 12M18 6L6 18" />,
  back: <path d="M19 12H5m6-6l-6 6 6 6" />,
  forward: <path d="M5 12h14m-6-6l6 6-6 6" />,
  check: <path d="M5 12.5l4.5 4.5L19 7.5" />,
  up: <path d="M12 19V5m-6 6l6-6 6 6" />,
  play: <path d="M8 5.5v13l10.5-6.5z" fill="currentColor" />,
  pause: <path d="M7 5.5h3v13H7zM14 5.5h3v13h-3z" fill="currentColor" />,
  moon: <path d="M20 14.2A8.2 8.2 0 1 1 9.8 4a6.6 6.6 0 0 0 10.2 10.2z" />,
  contrast: <path d="M12 4a8 8 0 0 1 0 16zM12 4a8 8 0 0 0 0 16z" />,
  sun: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />
    </>
  ),
  error: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7.5v5.5M12 16.2v.2" />
    </>
  ),
  heart: <path d="M12 19.5S4.5 15 4.5 9.7A4.1 4.1 0 0 1 12 7.4a4.1 4.1 0 0 1 7.5 2.3C19.5 15 12 19.5 12 19.5z" />,
  search: (
    <>
      <circle cx="11" cy="11" r="6" />
      <path d="M15.5 15.5L20 20" />
    </>
  ),
  external: <path d="M14 5h5v5M19 5l-8 8M17 14v4.5H5.5V7H10" />,
} satisfies Record<string, ReactNode>;

export function Icon({ name }: { name: IconName }) {
  return drawIcon(drawings[name]);
}

export function drawIcon(drawing: ReactNode) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {drawing}
    </svg>
  );
}
