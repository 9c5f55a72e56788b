import { createDemo, createPagesElsewhere, type DemoGateways, type WebhookManner } from "./adapters/demo/demo.ts";
import { createNoCards, createNoDebits } from "./adapters/no-gateways.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Queries } from "./database/database.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";
import type { CardGateway } from "./payments/card-gateway.ts";
import type { DebitGateway } from "./payments/debit-gateway.ts";
import type { RemoteFields } from "./provider/client/payment-fields.ts";

/** Who takes money for us, as the configuration says. */
export type Gateways = {
  cards: CardGateway;
  debits: DebitGateway;
  /** The demo providers' own pages, and the messenger of their webhook events. */
  pages: DemoGateways | undefined;
  createDelivery: ((receive: Webhooks["receive"]) => () => Promise<unknown>) | undefined;
};

/** What tests put in place of the gateways, or between us and them. */
export type GatewayOptions = {
  cards?: CardGateway;
  debits?: DebitGateway;
  wrapCards?: (cards: CardGateway) => CardGateway;
  webhookManner?: WebhookManner;
};

type GatewaySetting = { db: Queries; clock: Clock; secret: string; options: GatewayOptions };

/** A provider's client is loaded where it is configured: Stripe's alone would be a third of what a start takes. */
export async function openGateways(config: Config, setting: GatewaySetting): Promise<Gateways> {
  const manner = setting.options.webhookManner;
  const demo = createDemo({ ...setting, manner, pageUrl: (path) => config.site + path });
  const cards = setting.options.cards ?? (await openCards(config, { ...setting, demo: demo.cards }));
  const debits = setting.options.debits ?? (await openDebits(config, { ...setting, demo: demo.debits }));
  const isPretended = config.cards.kind === "demo" || config.debits.kind === "demo";
  return {
    cards: setting.options.wrapCards?.(cards) ?? cards,
    debits,
    pages: isPretended ? demo.pages : undefined,
    createDelivery: isPretended ? demo.createDelivery : undefined,
  };
}

type Opening<Gateway> = { clock: Clock; demo: Gateway };

async function openCards({ cards }: Config, { clock, demo }: Opening<CardGateway>): Promise<CardGateway> {
  if (cards.kind === "demo") return demo;
  if (cards.kind === "none") return createNoCards();
  const { createStripe } = await import("./adapters/stripe/stripe.ts");
  return createStripe({ ...cards, clock });
}

async function openDebits({ debits }: Config, { clock, demo }: Opening<DebitGateway>): Promise<DebitGateway> {
  if (debits.kind === "demo") return demo;
  if (debits.kind === "none") return createNoDebits();
  const { createGoCardless } = await import("./adapters/gocardless/gocardless.ts");
  return createGoCardless({ ...debits, clock });
}

/** Where a provider is a demo, its cards are handed over here; its pages are its own. */
export function findPagesElsewhere(fields: RemoteFields): DemoGateways | undefined {
  if (fields.current().kind !== "demo") return undefined;
  return createPagesElsewhere((card) => fields.makeMethod(card));
}
