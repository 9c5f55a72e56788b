import type { ReactNode } from "react";

type OutsideLinkProps = { href: string; className?: string | undefined; children: ReactNode };

/** Opens in a tab of its own. */
export function OutsideLink({ href, className, children }: OutsideLinkProps) {
  return (
    <a className={className} href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
