import type { Delivery } from "../../notices/notices.ts";
import { signDemoNotice, type DemoStore } from "./store.ts";

/** How notices come: in order and once, or as they may come from a vendor, each several times and the latest first. */
export type NoticeManner = { copies: number; isReversed: boolean };

const PLAIN: NoticeManner = { copies: 1, isReversed: false };

type Setting = {
  store: DemoStore;
  secret: string;
  /** Our own door for notices. */
  receive: (delivery: Delivery) => Promise<"kept" | "refused" | "unknown-gateway">;
  manner?: NoticeManner | undefined;
};

/** Brings the demo gateways' notices to our door, as a vendor's webhooks would be; answers how many there were. */
export function createDemoDelivery({ store, secret, receive, manner = PLAIN }: Setting): () => Promise<number> {
  return async () => {
    const waiting = await store.listNotices();
    const once = manner.isReversed ? waiting.toReversed() : waiting;
    for (const { id, gateway, body } of Array.from({ length: manner.copies }, () => once).flat()) {
      const headers = signDemoNotice(secret, body);
      const answer = await receive({ gateway, body, headers: { get: (name) => headers[name] ?? null } });
      if (answer === "kept") await store.markDelivered([id]);
    }
    return waiting.length;
  };
}
