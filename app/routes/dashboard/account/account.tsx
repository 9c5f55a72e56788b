import { lazy, Suspense } from "react";

import type { AccountAnswer } from "./account-answer.ts";
import { AccountPanel } from "./account-panel.tsx";
import type { AccountScreen } from "./account-screen.ts";

export type AccountProps = { account: AccountScreen; answer: AccountAnswer | undefined; avatar: string | undefined };

/** The server renders it with the page; a browser fetches its script only where it is open. */
const Panel = import.meta.env.SSR ? AccountPanel : lazy(fetchPanel);

/** My Account, over whatever screen it was opened on. */
export function Account(props: AccountProps) {
  return (
    <Suspense>
      <Panel {...props} />
    </Suspense>
  );
}

/** Where its script does not arrive it stays as the server made it: plain links and forms. A page without it is asked for again. */
async function fetchPanel(): Promise<{ default: typeof AccountPanel }> {
  try {
    return { default: (await import("./account-panel.tsx")).AccountPanel };
  } catch {
    if (!document.getElementById("account")) window.location.reload();
    return new Promise(() => undefined);
  }
}
