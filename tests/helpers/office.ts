import { fillDemo } from "../../server/cli/demo-data.ts";
import { readConfig } from "../../server/config.ts";
import { createServices, type Services } from "../../server/services.ts";
import { createCommands, type Dormouse } from "./dormouse.ts";
import { openFolder } from "./folder.ts";
import { createQuietLog } from "./quiet-log.ts";

export type Office = AsyncDisposable & Dormouse & { services: Services; dataDir: string; env: Record<string, string> };

/** A demo's data without its server, for commands and services. */
export async function openOffice(more: Record<string, string> = {}): Promise<Office> {
  const { folder: dataDir, ...removal } = await openFolder();
  const env = { DEMO: "true", DATA_DIR: dataDir, DORMOUSE_OPERATOR: "Olive Operator", ...more };
  const services = await createServices(readConfig(env), { log: createQuietLog(), hasContentAtOnce: false });
  await fillDemo(services);
  return {
    ...createCommands(env),
    services,
    dataDir,
    env,
    async [Symbol.asyncDispose]() {
      await services.close();
      await removal[Symbol.asyncDispose]();
    },
  };
}
