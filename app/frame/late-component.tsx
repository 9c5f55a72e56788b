import { type ComponentType, createElement, lazy } from "react";

type LateComponent<Props> = ComponentType<Props> & {
  /** Its script is loaded, as on the server and on a page that came with the part; otherwise a boundary may wait. */
  isAtHand: () => boolean;
};

/** Loaded before a page is hydrated or rendered. */
const awaited: Promise<unknown>[] = [];

export async function waitForLateComponents(): Promise<void> {
  await Promise.all(awaited);
}

/**
 * A part that most pages lack: its script is fetched where it is shown. A server-rendered page with the part, an
 * element with this id, waits for that script. The module that makes the part imports its style sheet, which is needed
 * without script.
 */
export function createLateComponent<Props extends object>(
  id: string,
  load: () => Promise<ComponentType<Props>>,
): LateComponent<Props> {
  let content: ComponentType<Props> | undefined;
  const isInPage = () => document.getElementById(id) !== null;
  const loadOrStayPlain = () => load().catch(() => stayPlain(isInPage()));
  const Late = lazy(async () => ({ default: await loadOrStayPlain() })) as ComponentType<Props>;
  if (import.meta.env.SSR || isInPage()) awaited.push(loadOrStayPlain().then((loaded) => (content = loaded)));
  return Object.assign((props: Props) => createElement(content ?? Late, props), {
    isAtHand: () => content !== undefined,
  });
}

/**
 * If the script does not arrive, a server-rendered part stays as plain links and forms; else the page is loaded with
 * it.
 */
function stayPlain(isInPage: boolean): Promise<never> {
  if (!isInPage) window.location.reload();
  return new Promise(() => undefined);
}
