import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { type Clock, SECOND_IN_MS } from "./clock.ts";
import type { Config } from "./config.ts";
import { type Catalogue, createCatalogue } from "./content/catalogue.ts";
import type { ContentSource } from "./content/source.ts";
import type { Mailer } from "./email/mailer.ts";
import type { Log } from "./log.ts";
import type { PartCheck } from "./part-check.ts";
import type { Provider } from "./provider/provider.ts";

/** Where content comes from and who carries emails, as the configuration says. Each adapter is loaded where it is used. */

export async function openContent(
  { content, dataDir }: Config,
  { provider, ...setting }: { clock: Clock; log: Log; provider?: Provider | undefined },
): Promise<ContentSource> {
  if (content.kind === "provider" && provider) {
    const { createProviderContent } = await import("./adapters/provider/content.ts");
    return createProviderContent({ ...setting, ...provider, folder: join(dataDir, "provider-catalogue") });
  }
  if (content.kind === "wordpress") {
    const { createWordpress } = await import("./adapters/wordpress/wordpress.ts");
    return createWordpress({ ...content, ...setting, folder: join(dataDir, "catalogue") });
  }
  const { createBundledContent } = await import("./adapters/bundled/bundled.ts");
  return createBundledContent(join(import.meta.dirname, "content", "bundled"));
}

/** A grid of two or three columns stays whole. */
const CARDS_PER_PAGE = 24;

type CatalogueParts = {
  clock: Clock;
  log: Log;
  content: ContentSource;
  cardsPerPage?: number | undefined;
  hasContentAtOnce?: boolean | undefined;
};

/** What there is to watch, read and learn; there at once unless `hasContentAtOnce` is false, then after the first refresh. */
export async function openCatalogue(
  { product, basePath }: Pick<Config, "product" | "basePath">,
  { clock, log, content, cardsPerPage = CARDS_PER_PAGE, hasContentAtOnce = true }: CatalogueParts,
): Promise<Catalogue> {
  const setting = { productName: product.name, basePath };
  const catalogue = createCatalogue({ source: content, setting, clock, log, cardsPerPage });
  if (hasContentAtOnce) await catalogue.open();
  return catalogue;
}

/** How long somebody who logs in waits for the first content there is. */
const FIRST_CONTENT_IN_MS = 10 * SECOND_IN_MS;

/** Content that only members may read is read when the first one comes. */
export async function fillEmptyCatalogue(catalogue: Catalogue): Promise<void> {
  const isEmpty = Object.values(catalogue.status().counts).every((count) => count === 0);
  if (isEmpty) await Promise.race([catalogue.refresh(), wait(FIRST_CONTENT_IN_MS, undefined, { ref: false })]);
}

export async function openMailer({ mail, isDemo }: Config, provider?: Provider): Promise<Mailer> {
  if (mail.kind === "smtp") {
    const { createSmtp } = await import("./adapters/email/smtp.ts");
    return createSmtp(mail);
  }
  if (provider) {
    const { createRemoteMail } = await import("./provider/client/email.ts");
    return createRemoteMail(provider);
  }
  const { createMailFiles, removeDrafts } = await import("./adapters/email/files.ts");
  await removeDrafts(mail.folder);
  const files = createMailFiles(mail);
  return isDemo ? files : { ...files, check: async () => toLost(await files.check()) };
}

/** A folder is well, and outside a demo no place for emails. */
function toLost({ says }: PartCheck): PartCheck {
  return { isWell: false, says: `${says} Nobody gets emails as files: set SMTP_URL.` };
}
