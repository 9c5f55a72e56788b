import { join } from "node:path";

import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { ContentSource } from "../content/source.ts";
import type { Queries } from "../database/database.ts";
import type { Mailer } from "../email/mailer.ts";
import type { Log } from "../log.ts";
import type { PartCheck } from "../part-check.ts";
import { type CardCharges, type CardGateway, type CardRefunds, isWhole } from "../payments/card-gateway.ts";
import type { DebitGateway } from "../payments/debit-gateway.ts";
import type { ProviderFields } from "../provider/client/payment-fields.ts";
import type { Provider } from "../provider/provider.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { createDemo, createPagesElsewhere, type DemoGateways, type WebhookManner } from "./demo/demo.ts";
import { createNoCards, createNoDebits } from "./no-gateways.ts";

/**
 * The implementations that the settings choose: payments, content and email. What many processes never use is imported where it is
 * chosen, so that it does not delay a start.
 */

/** The gateways that take money for us. */
export type Gateways = {
  cards: CardCharges;
  refunds: CardRefunds | undefined;
  debits: DebitGateway;
  /** The demo providers' own pages, and the messenger of their webhook events. */
  pages: DemoGateways | undefined;
  createDelivery: ((receive: Webhooks["receive"]) => () => Promise<unknown>) | undefined;
};

/** What tests put in place of the gateways, or between us and them. */
export type GatewayOptions = {
  cards?: CardCharges | CardGateway;
  debits?: DebitGateway;
  wrapCards?: (cards: CardGateway) => CardGateway;
  webhookManner?: WebhookManner;
};

type GatewaySetting = { db: Queries; clock: Clock; secret: string; options: GatewayOptions };

/** Stripe's client alone would be a third of what a start takes. */
export async function openGateways(config: Config, setting: GatewaySetting): Promise<Gateways> {
  const manner = setting.options.webhookManner;
  const demo = createDemo({ ...setting, manner, pageUrl: (path) => config.site + path });
  const opened = setting.options.cards ?? (await openCards(config, { ...setting, demo: demo.cards }));
  const whole = isWhole(opened) ? (setting.options.wrapCards?.(opened) ?? opened) : undefined;
  const debits = setting.options.debits ?? (await openDebits(config, { ...setting, demo: demo.debits }));
  const isPretended = config.cards.kind === "demo" || config.debits.kind === "demo";
  return {
    cards: whole ?? opened,
    refunds: whole,
    debits,
    pages: isPretended ? demo.pages : undefined,
    createDelivery: isPretended ? demo.createDelivery : undefined,
  };
}

type Opening<Gateway> = { clock: Clock; demo: Gateway };

async function openCards({ cards }: Config, { clock, demo }: Opening<CardGateway>): Promise<CardCharges | CardGateway> {
  if (cards.kind === "demo") return demo;
  if (cards.kind === "none") return createNoCards();
  const { createStripe } = await import("./stripe/stripe.ts");
  return createStripe({ ...cards, clock });
}

async function openDebits({ debits }: Config, { clock, demo }: Opening<DebitGateway>): Promise<DebitGateway> {
  if (debits.kind === "demo") return demo;
  if (debits.kind === "none") return createNoDebits();
  const { createGoCardless } = await import("./gocardless/gocardless.ts");
  return createGoCardless({ ...debits, clock });
}

/** Where a provider is a demo, its cards are handed over here; its pages are its own. */
export function findPagesElsewhere(fields: ProviderFields): DemoGateways | undefined {
  if (fields.current().kind !== "demo") return undefined;
  return createPagesElsewhere((card) => fields.makeMethod(card));
}

export async function openContent(
  { content, dataDir }: Config,
  { provider, ...setting }: { clock: Clock; log: Log; provider?: Provider | undefined },
): Promise<ContentSource> {
  if (content.kind === "provider" && provider) {
    const { createProviderContent } = await import("./provider/content.ts");
    return createProviderContent({ ...setting, ...provider, folder: join(dataDir, "provider-catalogue") });
  }
  if (content.kind === "wordpress") {
    const { createWordpress } = await import("./wordpress/wordpress.ts");
    return createWordpress({ ...content, ...setting, folder: join(dataDir, "catalogue") });
  }
  const { createBundledContent } = await import("./bundled/bundled.ts");
  return createBundledContent(join(import.meta.dirname, "..", "content", "bundled"));
}

export async function openMailer({ mail, isDemo }: Config, provider?: Provider): Promise<Mailer> {
  if (mail.kind === "smtp") {
    const { createSmtp } = await import("./email/smtp.ts");
    return createSmtp(mail);
  }
  if (provider) {
    const { createProviderMailer } = await import("./provider/mailer.ts");
    return createProviderMailer(provider);
  }
  const { createMailFiles, removeDrafts } = await import("./email/files.ts");
  await removeDrafts(mail.folder);
  const files = createMailFiles(mail);
  return isDemo ? files : { ...files, check: async () => toLost(await files.check()) };
}

/** A folder is well, and outside a demo no place for emails. */
function toLost({ says }: PartCheck): PartCheck {
  return { isWell: false, says: `${says} Nobody gets emails as files: set SMTP_URL.` };
}
