import { createDemoCardPages } from "./adapters/demo-card-pages.ts";
import { createDemoCards } from "./adapters/demo-cards.ts";
import { createDemoDebit } from "./adapters/demo-debit.ts";
import type { DemoGateways } from "./adapters/demo-gateways.ts";
import { createDemoDelivery, type NoticeManner } from "./adapters/demo-notices.ts";
import { createDemoPages } from "./adapters/demo-pages.ts";
import { createDemoStore } from "./adapters/demo-store.ts";
import { createNoCards, createNoDebits } from "./adapters/no-gateways.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Queries } from "./database/database.ts";
import type { Delivery, Notices } from "./notices/notices.ts";
import type { CardGateway } from "./payments/card-gateway.ts";
import type { DebitGateway } from "./payments/debit-gateway.ts";

/** Who takes money for us, as the configuration says. */
export type Gateways = {
  cards: CardGateway;
  debits: DebitGateway;
  /** The demo providers' own pages, and the messenger of their notices. */
  pages: DemoGateways | undefined;
  createDelivery: ((receive: Notices["receive"]) => () => Promise<unknown>) | undefined;
};

/** What tests put between us and the demo's gateways. */
export type GatewayOptions = {
  wrapCards?: (cards: CardGateway) => CardGateway;
  noticeManner?: NoticeManner;
};

type GatewaySetting = { db: Queries; clock: Clock; secret: string; options: GatewayOptions };

export function openGateways(config: Config, { db, clock, secret, options }: GatewaySetting): Gateways {
  const store = createDemoStore({ db, clock });
  const pageUrl = (path: string) => config.site + path;
  const demoCards = createDemoCards({ store, secret });
  const demoDebit = createDemoDebit({ store, clock, secret, pageUrl });
  const cards = config.cards.kind === "demo" ? demoCards : createNoCards();
  return {
    cards: options.wrapCards?.(cards) ?? cards,
    debits: config.debits.kind === "demo" ? demoDebit : createNoDebits(),
    pages:
      config.cards.kind === "demo"
        ? createDemoPages({ cards: createDemoCardPages({ store, clock }), debit: demoDebit })
        : undefined,
    createDelivery: config.isDemo
      ? (receive: (delivery: Delivery) => ReturnType<Notices["receive"]>) =>
          createDemoDelivery({ store, secret, receive, manner: options.noticeManner })
      : undefined,
  };
}
