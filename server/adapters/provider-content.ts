import { join } from "node:path";

import type { Clock } from "../clock.ts";
import type { ContentSource } from "../content/source.ts";
import type { Log } from "../log.ts";
import type { ProviderClient } from "../provider-api/provider-client.ts";
import type { ProviderTokens } from "../provider-api/provider-tokens.ts";
import { createKeptContent } from "./kept-content.ts";
import { checkProviderContent } from "./provider-check.ts";
import { createProviderLists } from "./provider-lists.ts";
import { createAnyMember } from "./provider-member.ts";
import type { FileAnswer, FileAsk } from "./wordpress-client.ts";
import { createWordpressDisk } from "./wordpress-disk.ts";
import { AwayFault, WordpressFault } from "./wordpress-faults.ts";
import { createWordpressMedia } from "./wordpress-media.ts";

type ProviderContentOptions = {
  client: ProviderClient;
  tokens: Pick<ProviderTokens, "find" | "listNewest" | "drop">;
  clock: Clock;
  log: Log;
  folder: string;
};

/**
 * The videos, articles and webinars of a provider. It shows them to members with a subscription alone, so they are read with the token
 * of one who is logged in here; while no such is, what was read last is shown. Its pictures and films go through our host.
 */
export function createProviderContent(options: ProviderContentOptions): ContentSource {
  const { client, tokens, clock, log, folder } = options;
  const { askForList, askForFile } = createAnyMember({ tokens, clock });

  async function readFile(address: string, how: FileAsk): Promise<FileAnswer> {
    const target = new URL(address);
    const ask = async (token: string | undefined) => {
      const file = await client.readFile(target, { ...how, token }).catch(toFault);
      if (file.status >= 500 || file.status === 429) throw new AwayFault(`it answered ${file.status}`);
      return file;
    };
    const answer = client.isOfApi(target) ? await askForFile(ask) : await ask(undefined);
    if (!answer) throw new AwayFault("nobody is logged in here to whom it is shown");
    return answer;
  }

  return createKeptContent({
    name: `the provider at ${client.base.href}`,
    site: client.base.href,
    read: createProviderLists({ client, askForList, clock }),
    check: () => checkProviderContent(client, askForList),
    disk: createWordpressDisk({ folder, cms: client.base.href, clock, log }),
    media: createWordpressMedia({ client: { readFile }, clock, log, folder: join(folder, "pictures") }),
    clock,
    log,
  });
}

function toFault(error: unknown): never {
  const { message, isUnreachable } = error as { message: string; isUnreachable?: boolean };
  const Fault = isUnreachable ? AwayFault : WordpressFault;
  throw new Fault(message, { cause: error });
}
