import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build, loadConfigFromFile } from "vite";

import { type CmsApp, startCmsApp } from "./cms-app.ts";
import { EVERYDAY_CARDS, everydayPages } from "./pages.ts";
import { logIn } from "./requests.ts";
import { startFlags, startServer, type Server } from "./servers.ts";
import { LIST_LENGTH, SMALLEST_COUNT } from "./synthetic-content.ts";
import { findLinks, type Link } from "./weight.ts";

/** A server, and a logged-in member's cookie. */
export type App = { server: Server; cookie: string };

/** Everything that is compared, running. */
export type Stage = AsyncDisposable & {
  folder: string;
  /** Our server with the usual lists, over a hundred, a thousand and ten thousand items. */
  everyday: App;
  thousand: App;
  tenThousand: App;
  /** The product with a hundred and with ten thousand items of a CMS. */
  cms: CmsApp;
  largeCms: CmsApp;
  longList: App;
  /** The same build and services under `react-router-serve`. */
  stock: App;
  longListStock: App;
  /** The limits of `everyday` and `longList`: they serve the dashboard's paths. */
  everydayLimit: Server;
  longListLimit: Server;
};

type Catalogue = { itemCount: number; cardsPerPage: number };

const catalogues = {
  everyday: { itemCount: 100, cardsPerPage: EVERYDAY_CARDS },
  thousand: { itemCount: 1000, cardsPerPage: EVERYDAY_CARDS },
  tenThousand: { itemCount: 10_000, cardsPerPage: EVERYDAY_CARDS },
  longList: { itemCount: SMALLEST_COUNT, cardsPerPage: LIST_LENGTH },
} satisfies Record<string, Catalogue>;

/** Starts every server of the bench, each with a temporary data directory. */
export async function openStage(buildDir: string): Promise<Stage> {
  await using opening = new AsyncDisposableStack();
  const { folder, openApp, openCmsApp, openStock, openLimit } = await prepare(buildDir, opening);
  const everyday = await openApp("everyday");
  const longList = await openApp("longList");
  const [thousand, tenThousand, cms, largeCms, stock, longListStock, everydayLimit, longListLimit] = await Promise.all([
    openApp("thousand"),
    openApp("tenThousand"),
    openCmsApp(100),
    openCmsApp(10_000),
    openStock("everyday"),
    openStock("longList"),
    openLimit(everyday, "everyday"),
    openLimit(longList, "longList"),
  ]);
  const open = opening.move();
  return {
    folder,
    everyday,
    thousand,
    tenThousand,
    cms,
    largeCms,
    longList,
    stock,
    longListStock,
    everydayLimit,
    longListLimit,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Starts only the server of the usual pages, and its limit. */
export async function openEveryday(
  buildDir: string,
): Promise<Pick<Stage, "everyday" | "everydayLimit"> & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const { openApp, openLimit } = await prepare(buildDir, opening);
  const everyday = await openApp("everyday");
  const everydayLimit = await openLimit(everyday, "everyday");
  const open = opening.move();
  return { everyday, everydayLimit, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** Builds the limit in a temporary folder, and returns how each kind of server is started. */
async function prepare(buildDir: string, opening: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), "dormouse-bench-"));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  await buildLimit(folder);

  const toEnv = (name: string, { itemCount, cardsPerPage }: Catalogue) => ({
    BUILD_DIR: buildDir,
    DATA_DIR: join(folder, name),
    ITEMS: String(itemCount),
    CARDS_PER_PAGE: String(cardsPerPage),
    // Each person who logs in has their own address.
    TRUST_PROXY: "loopback",
  });
  return {
    folder,
    async openApp(name: keyof typeof catalogues): Promise<App> {
      const env = toEnv(name, catalogues[name]);
      const server = opening.use(await startServer([...startFlags, "bench/serve.ts"], { env }));
      return { server, cookie: await logIn(server) };
    },
    async openCmsApp(items: number): Promise<CmsApp> {
      return opening.use(await startCmsApp({ items, folder, buildDir }));
    },
    async openStock(name: "everyday" | "longList"): Promise<App> {
      const command = [resolve("node_modules/.bin/react-router-serve"), join(buildDir, "server", "index.js")];
      const env = toEnv(`${name}-stock`, catalogues[name]);
      const cwd = await makeStockHome(join(folder, `${name}-stock-home`));
      const server = opening.use(await startServer(command, { env, cwd }));
      return { server, cookie: await logIn(server) };
    },
    async openLimit(app: App, name: "everyday" | "longList"): Promise<Server> {
      const links = (await findLinks({ ...app, path: everydayPages.list.path })).map(toProps);
      const env = { ...toEnv(`${name}-limit`, catalogues[name]), LINKS: JSON.stringify(links) };
      return opening.use(await startServer([join(folder, "limit.js")], { env, readyPath: "/" }));
    },
  };
}

/**
 * The stock server finds its services in the working directory (`app/frame/middleware/services.ts`): this one is ours,
 * except for the made-up services.
 */
async function makeStockHome(home: string): Promise<string> {
  await mkdir(join(home, "server"), { recursive: true });
  for (const name of await readdir("server")) {
    await symlink(
      resolve(name === "services.ts" ? "bench/synthetic-services.ts" : `server/${name}`),
      join(home, "server", name),
    );
  }
  return home;
}

/**
 * Built with the settings of `vite.config.ts`, so that pictures and classes have the same names, but without its
 * plugins.
 */
async function buildLimit(folder: string): Promise<void> {
  const settings = await loadConfigFromFile({ command: "build", mode: "production" });
  await build({
    configFile: false,
    logLevel: "error",
    ...(settings?.config.css && { css: settings.config.css }),
    build: {
      ...settings?.config.build,
      ssr: "bench/limit.tsx",
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
    },
    // In a test runner Vite would make a development build.
    oxc: { jsx: { development: false } },
    ssr: { noExternal: true },
  });
}

/** A link's attributes by React's names. */
function toProps({ crossorigin, ...link }: Link): Link {
  return crossorigin === undefined ? link : { ...link, crossOrigin: crossorigin };
}
