/** A browser that is driven from outside, over the protocol that it speaks. */
export type Browser = AsyncDisposable & {
  name: string;
  /** Whether the script of pages runs. */
  hasScript: boolean;
  /** Uncaught errors of pages; none where the protocol does not report them. */
  faults: string[];
  /** A page without cookies. Sizes are in CSS pixels; WebKit's window is at least 447 wide. */
  openPage(size: Size): Promise<Page>;
};

export type Size = { width: number; height: number };

/** A node of the page, as the protocol names it. */
export type Element = Record<string, string>;

export type Page = AsyncDisposable & {
  /** Goes to an address and waits until its page is loaded. */
  open(url: string): Promise<void>;
  back(): Promise<void>;
  /** Calls the source of a function in the page with texts, and answers what it returns as JSON does. */
  evaluate<Result>(declaration: string, ...args: string[]): Promise<Result>;
  /** Calls the source of a function that returns an element, if there is one. */
  find(declaration: string, ...args: string[]): Promise<Element | undefined>;
  /** A press of the mouse in the middle of an element. */
  click(element: Element): Promise<void>;
  /** Replaces what a field holds, key by key. */
  type(element: Element, text: string): Promise<void>;
  /** How many sheets of A4 the page takes; undefined where the protocol cannot print. */
  countPrintedPages(): Promise<number | undefined>;
};
