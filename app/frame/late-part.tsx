import { type ComponentType, createElement, lazy } from "react";

type Part<Props> = ComponentType<Props> & {
  /** Whether its script is there, as on the server and in a browser whose page came with the part; else a boundary may wait for it. */
  isAtHand: () => boolean;
};

/** The files that must be there before a page is hydrated, or written. */
const awaited: Promise<unknown>[] = [];

export async function waitForParts(): Promise<void> {
  await Promise.all(awaited);
}

/**
 * A part that most pages do without: its script is fetched where it is shown. A page that the server wrote with it, which has an element
 * with this id, waits for that script. Its style sheet comes with the module that makes the part: without script it is needed at once.
 */
export function createPart<Props extends object>(id: string, load: () => Promise<ComponentType<Props>>): Part<Props> {
  let content: ComponentType<Props> | undefined;
  const isInPage = () => document.getElementById(id) !== null;
  const loadOrStayPlain = () => load().catch(() => stayPlain(isInPage()));
  const Late = lazy(async () => ({ default: await loadOrStayPlain() })) as ComponentType<Props>;
  if (import.meta.env.SSR || isInPage()) awaited.push(loadOrStayPlain().then((loaded) => (content = loaded)));
  return Object.assign((props: Props) => createElement(content ?? Late, props), {
    isAtHand: () => content !== undefined,
  });
}

/** If its script does not arrive, a part that the server has written stays as plain links and forms; else the page is loaded with it. */
function stayPlain(isInPage: boolean): Promise<never> {
  if (!isInPage) window.location.reload();
  return new Promise(() => undefined);
}
