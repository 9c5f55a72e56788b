import { join } from "node:path";

import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { ContentSource } from "./content/content-source.ts";
import type { Log } from "./log.ts";
import type { Provider } from "./provider-rooms.ts";
import type { Mailer } from "./mail/mailer.ts";

/** Where content comes from and who carries letters, as the configuration says. Each adapter is loaded where it is used. */

export async function openContent(
  { content, dataDir }: Config,
  { provider, ...setting }: { clock: Clock; log: Log; provider?: Provider | undefined },
): Promise<ContentSource> {
  if (content.kind === "provider" && provider) {
    const { createProviderContent } = await import("./adapters/provider-content.ts");
    return createProviderContent({ ...setting, ...provider, folder: join(dataDir, "provider-catalogue") });
  }
  if (content.kind === "wordpress") {
    const { createWordpress } = await import("./adapters/wordpress.ts");
    return createWordpress({ ...content, ...setting, folder: join(dataDir, "catalogue") });
  }
  const { createBundledContent } = await import("./adapters/bundled-content.ts");
  return createBundledContent(join(import.meta.dirname, "content", "bundled"));
}

export async function openMailer({ mail }: Config, provider?: Provider): Promise<Mailer> {
  if (mail.kind === "smtp") {
    const { createSmtp } = await import("./adapters/smtp.ts");
    return createSmtp(mail);
  }
  if (provider) {
    const { createRemoteMail } = await import("./provider-api/remote-mail.ts");
    return createRemoteMail(provider);
  }
  const { createMailFiles } = await import("./adapters/mail-files.ts");
  return createMailFiles(mail);
}
