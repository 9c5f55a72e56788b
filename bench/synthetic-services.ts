import { addDemoMembers } from "../server/cli/demo-data.ts";
import { readConfig, type Config } from "../server/config.ts";
import { createServices as createApp, type Services } from "../server/services.ts";
import { createSyntheticContent } from "./synthetic-content.ts";

/** The services of a server that is measured: `ITEMS` made-up items, `CARDS_PER_PAGE` of them on a page. */
export function createServices(config: Config): Promise<Services> {
  return createApp(config, {
    content: createSyntheticContent(Number(process.env.ITEMS)),
    cardsPerPage: Number(process.env.CARDS_PER_PAGE),
  });
}

/** The same as the environment has them, with the demo's members in. */
export async function openServices(): Promise<Services> {
  const services = await createServices(readConfig(process.env));
  await addDemoMembers(services);
  return services;
}
