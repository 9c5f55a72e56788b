import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { MiddlewareFunction } from "react-router";

import type { Config } from "../../../server/config.ts";
import type { Services } from "../../../server/services.ts";
import { servicesContext } from "../context.ts";

/**
 * Creates services where the server gave none (`react-router dev`, `react-router-serve`), on first use and from the
 * sources in the working directory, so that the build contains nothing of `server/`.
 */
export const servicesMiddleware: MiddlewareFunction<Response> = async ({ context }) => {
  if (context.get(servicesContext) === null) context.set(servicesContext, await openServices());
};

let opened: Promise<Services> | undefined;

function openServices(): Promise<Services> {
  opened ??= (async () => {
    const { readConfig } = await importServer<{ readConfig: (env: NodeJS.ProcessEnv) => Config }>("config.ts");
    const { createServices } = await importServer<{ createServices: (config: Config) => Promise<Services> }>(
      "services.ts",
    );
    const config = readConfig(process.env);
    const services = await createServices(config);
    if (config.isDemo) {
      const { fillDemo } = await importServer<{ fillDemo: (services: Services) => Promise<void> }>("cli/demo-data.ts");
      await fillDemo(services);
    }
    // Never stopped: such a server ends without a signal.
    services.jobs.start();
    return services;
  })();
  return opened;
}

function importServer<Module>(file: string): Promise<Module> {
  return import(/* @vite-ignore */ pathToFileURL(resolve("server", file)).href) as Promise<Module>;
}
