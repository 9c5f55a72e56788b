import { join } from "node:path";

import type { Clock } from "../platform/clock.ts";
import type { Config } from "../config.ts";
import type { Bucket } from "../content/catalogue/media-store.ts";
import { type ContentSource, SAMPLES_SERVED } from "../content/items/source.ts";
import type { Queries } from "../platform/database/database.ts";
import { removeDrafts } from "../platform/disk-files.ts";
import type { Mailer } from "../platform/email/sending.ts";
import type { Log } from "../platform/log.ts";
import type { Part, PartCheck } from "../platform/part-check.ts";
import {
  type CardCharges,
  type CardFields,
  type CardGateway,
  type CardRefunds,
  isWhole,
} from "../money/payments/card-gateway.ts";
import type { DebitGateway } from "../money/payments/debit-gateway.ts";
import type { ProviderFields } from "../provider/client/payment-fields.ts";
import type { Provider } from "../provider/provider.ts";
import type { Webhooks } from "../platform/webhooks/webhooks.ts";

import { demoFields } from "./demo/card-gateway.ts";
import { createDemo, pagesElsewhere, type DemoGateways, type DemoPayments, type WebhookManner } from "./demo/demo.ts";
import { cardGateways, debitGateways } from "./gateways.ts";

/**
 * The implementations that the settings choose. Those that many processes never use are imported where they are chosen,
 * so that they do not delay a start.
 */

export type Gateways = {
  cardGateway: CardCharges;
  refunds: CardRefunds | undefined;
  debits: DebitGateway;
  /** The pages of the demo's payments and the sender of their webhook events, if a demo is in use. */
  findPages: () => DemoGateways | undefined;
  demoPayments: DemoPayments | undefined;
  createDelivery: ((receive: Webhooks["receive"]) => () => Promise<unknown>) | undefined;
  parts: Record<string, Part>;
};

/** Substitutes for the gateways in tests, or layers before them. */
export type GatewayOptions = {
  cardGateway?: CardCharges | CardGateway;
  debits?: DebitGateway;
  wrapCardGateway?: (gateway: CardGateway) => CardGateway;
  webhookManner?: WebhookManner;
};

/** By the API's name of the gateway (docs/api.md); empty for an unknown one. */
export function toCardFields(kind: string, publishableKey?: string): CardFields {
  if (kind === demoFields.kind) return demoFields;
  return cardGateways.find((gateway) => gateway.kind === kind)?.fields(publishableKey) ?? { kind: "none" };
}

type GatewaySetting = {
  db: Queries;
  clock: Clock;
  secret: string;
  provider: Provider | undefined;
  options: GatewayOptions;
};

export async function openGateways(config: Config, setting: GatewaySetting): Promise<Gateways> {
  const manner = setting.options.webhookManner;
  const demo = createDemo({ ...setting, manner, pageUrl: (path) => config.site + path });
  const opened = setting.options.cardGateway ?? (await openCardGateway(config, { ...setting, demo: demo.cardGateway }));
  const whole = isWhole(opened) ? (setting.options.wrapCardGateway?.(opened) ?? opened) : undefined;
  const debits = setting.options.debits ?? (await openDebits(config, { ...setting, demo: demo.debits }));
  const isPretended = config.cardGateway.kind === "demo" || config.debits.kind === "demo";
  const { provider } = setting;
  const cardGateway = whole ?? opened;
  const pages = isPretended ? demo.pages : undefined;
  return {
    cardGateway,
    refunds: whole,
    debits,
    findPages: () => (provider ? findPagesElsewhere(provider.fields) : pages),
    demoPayments: isPretended && !provider ? demo.payments : undefined,
    createDelivery: isPretended ? demo.createDelivery : undefined,
    // A provider takes the money itself.
    parts: provider
      ? { provider: { isOpen: true, check: () => provider.check() } }
      : {
          cards: { isOpen: config.cardGateway.kind !== "none", check: () => cardGateway.check() },
          "Direct Debits": { isOpen: config.debits.kind !== "none", check: () => debits.check() },
        },
  };
}

type Opening<Gateway> = { clock: Clock; demo: Gateway };

async function openCardGateway(
  { cardGateway }: Config,
  { clock, demo }: Opening<CardGateway>,
): Promise<CardCharges | CardGateway> {
  if (cardGateway.kind === "demo") return demo;
  const chosen = cardGateways.find(({ kind }) => kind === cardGateway.kind);
  return chosen ? chosen.open(cardGateway, clock) : noCardGateway;
}

async function openDebits({ debits }: Config, { clock, demo }: Opening<DebitGateway>): Promise<DebitGateway> {
  if (debits.kind === "demo") return demo;
  const chosen = debitGateways.find(({ kind }) => kind === debits.kind);
  return chosen ? chosen.open(debits, clock) : noDebits;
}

/** A demo provider takes its cards here; its pages are its own. */
function findPagesElsewhere(fields: ProviderFields): DemoGateways | undefined {
  if (fields.current().kind !== "demo") return undefined;
  return { ...pagesElsewhere, makeMethod: (card) => fields.makeMethod(card) };
}

export async function openContent(
  { content, dataDir, isDemo }: Config,
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
  const samples = createBundledContent(join(import.meta.dirname, "..", "content", "bundled"));
  return isDemo ? samples : { ...samples, check: async () => toSamples(await samples.check()) };
}

function toSamples({ isWell, message }: PartCheck): PartCheck {
  return isWell ? { isWell, isNote: true, message: `${message}. ${SAMPLES_SERVED}` } : { isWell, message };
}

export async function openBucket({ media }: Config, clock: Clock): Promise<Bucket | undefined> {
  if (!media) return undefined;
  const { openS3 } = await import("./s3/s3.ts");
  return openS3(media, { clock });
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
  const { createMailFiles } = await import("./email/files.ts");
  await removeDrafts(mail.folder);
  const files = createMailFiles(mail);
  return isDemo ? files : { ...files, check: async () => toLost(await files.check()) };
}

/** A working folder is still no mail server outside a demo. */
function toLost({ message }: PartCheck): PartCheck {
  return { isWell: false, message: `${message} Emails are only written to files. Set SMTP_URL to send them.` };
}

function refuseTo(what: string): () => Promise<never> {
  return () => Promise.reject(new Error(`No ${what} are configured`));
}

const refuseCard = refuseTo("card payments");
const listSettings = (choices: { chosenBy: string }[]) => choices.map(({ chosenBy }) => chosenBy).join(" or ");

/**
 * The card gateway of an installation without payments: no payment can begin. The demo's gateways are never used there,
 * because they accept any test card as money.
 */
export const noCardGateway: CardCharges = {
  name: "no-cards",
  fields: { kind: "none" },
  createCustomer: refuseCard,
  startPayment: refuseCard,
  startHostedPayment: refuseCard,
  findPayment: async () => undefined,
  listPaymentsFor: async () => [],
  cancelPayment: refuseCard,
  check: async () => ({
    isWell: true,
    message: `None are configured, so people can only join with a code. To take cards, set ${listSettings(cardGateways)}.`,
  }),
};

const refuseDebit = refuseTo("Direct Debits");

const noDebits: DebitGateway = {
  name: "no-debits",
  createBillingRequest: refuseDebit,
  openFlow: refuseDebit,
  findBillingRequest: async () => undefined,
  findMandate: async () => undefined,
  collect: refuseDebit,
  findDebit: async () => undefined,
  readEvents: () => undefined,
  listEventsSince: async () => [],
  check: async () => ({
    isWell: true,
    message: `None are configured, so you can't add companies. To add them, set ${listSettings(debitGateways)}.`,
  }),
};
