import { inject } from "vitest";

import { fillDemo } from "../../server/cli/demo-data.ts";
import { readConfig } from "../../server/config.ts";
import { createServices, type Services } from "../../server/services.ts";
import { createDormouse, type Dormouse } from "./dormouse.ts";
import { openFolder } from "./folder.ts";
import { createQuietLog } from "./quiet-log.ts";

/** The same commands, which take a third of the time to start. */
export const createQuick = (env: Record<string, string>) => createDormouse(env, inject("programs").dormouse);

export type Office = AsyncDisposable & Dormouse & { services: Services; dataDir: string; env: Record<string, string> };

/** A demo's data without its server: commands on one side, the services on the other. */
export async function openOffice(more: Record<string, string> = {}): Promise<Office> {
  const { folder: dataDir, ...removal } = await openFolder();
  const env = { DEMO: "true", DATA_DIR: dataDir, DORMOUSE_OPERATOR: "Olive Operator", ...more };
  const services = await createServices(readConfig(env), { log: createQuietLog(), hasContentAtOnce: false });
  await fillDemo(services);
  return {
    ...createQuick(env),
    services,
    dataDir,
    env,
    async [Symbol.asyncDispose]() {
      await services.close();
      await removal[Symbol.asyncDispose]();
    },
  };
}
