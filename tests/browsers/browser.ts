/** A browser driven from outside, over its own protocol. */
export type Browser = AsyncDisposable & {
  name: string;
  hasScript: boolean;
  /** Uncaught errors of pages, if the protocol reports them. */
  faults: string[];
  /** Without cookies. Sizes are in CSS pixels; WebKit's window is at least 447 wide. */
  openPage(size: Size): Promise<Page>;
};

export type Size = { width: number; height: number };

export type Element = Record<string, string>;

export type Page = AsyncDisposable & {
  open(url: string): Promise<void>;
  back(): Promise<void>;
  /** Calls a function's source in the page with texts; the result travels as JSON. */
  evaluate<Result>(declaration: string, ...args: string[]): Promise<Result>;
  find(declaration: string, ...args: string[]): Promise<Element | undefined>;
  /** In the middle of the element. */
  click(element: Element): Promise<void>;
  /** Replaces a field's text, key by key. */
  type(element: Element, text: string): Promise<void>;
  /** In A4; undefined where the protocol cannot print. */
  countPrintedPages(): Promise<number | undefined>;
};
