import { startDemo } from "../helpers/demo-process.ts";
import type { App } from "./app.ts";

/** Enough for a demo. */
const API_KEY = "a-key-between-two-demos";

/**
 * A demo that keeps no accounts, takes no money and has no content of its own: it asks another one for all of it. Emails, members
 * and the pages of banks are that one's.
 */
export async function openRemoteApp(): Promise<{ app: App } & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const provider = await startDemo({ API_KEY });
  opened.defer(() => provider.stop());
  const front = await startDemo({ API_KEY, API_URL: provider.url });
  opened.defer(() => front.stop());
  const closing = opened.move();
  const { origin } = new URL(provider.url);
  return {
    app: {
      url: front.url,
      settings: { DEMO: "true", DATA_DIR: provider.dataDir, ORIGIN: origin },
      cards: "demo",
      debits: "demo",
      pages: [origin],
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
