import { addDemoMembers, DEMO_PASSWORD, demoMembers } from "../server/cli/demo-data.ts";
import { readConfig, type Config } from "../server/config.ts";
import { itemKinds } from "../server/content/items/kinds.ts";
import { createServices as createApp, type Services } from "../server/services.ts";
import { createSyntheticContent } from "./synthetic-content.ts";

/** The services of a server that is measured: `ITEMS` made-up items, `CARDS_PER_PAGE` of them on a page. */
export function createServices(config: Config): Promise<Services> {
  return createApp(config, {
    content: createSyntheticContent(Number(process.env.ITEMS)),
    cardsPerPage: Number(process.env.CARDS_PER_PAGE),
  });
}

const FAVOURITES_OF_A_KIND = 8;

/** The same as the environment has them, with the demo's members in; the first has 24 favourites. */
export async function openServices(): Promise<Services> {
  const services = await createServices(readConfig(process.env));
  await addDemoMembers(services);
  const { accounts, catalogue, favourites } = services;
  const member = await accounts.findMemberByPassword(demoMembers[0]?.email ?? "", DEMO_PASSWORD);
  for (const kind of itemKinds) {
    const cards = catalogue.findPage(kind, 1)?.cards.slice(0, FAVOURITES_OF_A_KIND) ?? [];
    for (const { id } of cards) await favourites.save(member?.id ?? 0, { kind, id });
  }
  return services;
}
