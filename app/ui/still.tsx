import { createContext, useContext, type ReactNode } from "react";

/** What stands in an element and is the same for every reader, as one who keeps it has it: HTML, or nothing yet. */
export type StillKeeper = (still: StillContent) => string | undefined;

export type StillContent = {
  as: "div" | "picture";
  /** What is shown: an object that stays itself for as long as it says the same. */
  of: object;
  /** What else decides how it looks. */
  variant: string;
  children: () => ReactNode;
};

/** Given by the server; a browser keeps nothing. */
export const StillContext = createContext<StillKeeper | undefined>(undefined);

/**
 * An element whose content is the same for every reader: the server makes it once and then has it as HTML, which spares most of the
 * work of a page of cards. In a browser it is an element like any other.
 */
export function Still({ className, ...still }: StillContent & { className?: string | undefined }) {
  const { as: Element, children } = still;
  const html = useContext(StillContext)?.(still);
  if (html === undefined) return <Element className={className}>{children()}</Element>;
  return <Element className={className} dangerouslySetInnerHTML={{ __html: html }} />;
}
