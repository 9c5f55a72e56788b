import type { z } from "zod";

import type { Clock } from "../../platform/clock.ts";
import type { DebitGateway } from "../../money/payments/debit-gateway.ts";
import { httpUrl, listMistakes, text } from "../../platform/setting-checks.ts";

const settings = {
  GOCARDLESS_ACCESS_TOKEN: text,
  GOCARDLESS_WEBHOOK_SECRET: text,
  GOCARDLESS_API_BASE: httpUrl.optional(),
};

type Settings = z.infer<z.ZodObject<typeof settings>> & { DEMO: boolean };

/** `apiBase`: by default GoCardless's own, live or sandbox by the token. */
type GoCardlessConfig = {
  kind: "gocardless";
  accessToken: string;
  webhookSecret: string | undefined;
  apiBase: string | undefined;
};

function findMistakes(set: Settings): string[] {
  const { GOCARDLESS_ACCESS_TOKEN: token, GOCARDLESS_WEBHOOK_SECRET: webhook, GOCARDLESS_API_BASE: base } = set;
  if (!token) {
    return listMistakes([webhook || base, "GOCARDLESS_ACCESS_TOKEN is missing: the other GoCardless settings need it"]);
  }
  return listMistakes(
    [
      !base && !/^(live|sandbox)_/.test(token),
      "GOCARDLESS_ACCESS_TOKEN must start with live_ or sandbox_: that says which GoCardless it is for",
    ],
    [!webhook && !set.DEMO, "GOCARDLESS_WEBHOOK_SECRET is missing: GoCardless shows it beside the webhook endpoint"],
    [
      set.DEMO && token.startsWith("live_"),
      "GOCARDLESS_ACCESS_TOKEN is a live token: a demo only takes sandbox tokens",
    ],
  );
}

function readConfig(set: Settings): GoCardlessConfig | undefined {
  const { GOCARDLESS_ACCESS_TOKEN: accessToken, GOCARDLESS_WEBHOOK_SECRET: webhookSecret } = set;
  return accessToken ? { kind: "gocardless", accessToken, webhookSecret, apiBase: set.GOCARDLESS_API_BASE } : undefined;
}

async function open(config: GoCardlessConfig, clock: Clock): Promise<DebitGateway> {
  const { createGoCardless } = await import("./gocardless.ts");
  return createGoCardless({ ...config, clock });
}

export const goCardless = {
  kind: "gocardless",
  settings,
  addresses: ["GOCARDLESS_API_BASE"],
  chosenBy: "GOCARDLESS_ACCESS_TOKEN",
  findMistakes,
  readConfig,
  open,
};
