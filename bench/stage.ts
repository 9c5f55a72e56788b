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

/** A server and the cookie of a member who is logged in there. */
export type App = { server: Server; cookie: string };

/** All that is compared, running. */
export type Stage = AsyncDisposable & {
  folder: string;
  /** Our server with the lists that members get, over a hundred items, a thousand and ten thousand. */
  everyday: App;
  thousand: App;
  tenThousand: App;
  /** The product with a hundred items of a CMS, and with ten thousand. */
  cms: CmsApp;
  largeCms: CmsApp;
  /** Our server with a list of 60 cards. */
  longList: App;
  /** The same build and the same services under `react-router-serve`. */
  stock: App;
  longListStock: App;
  /** The limits of `everyday` and `longList`: they answer the dashboard's paths. */
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

/** Starts every server of the bench, each with a data directory of its own that goes with the stage. */
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

/** Starts of it only what answers every day's pages, and the limit of that. */
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

/** A folder with the limit built in it, and how each kind of server is started there. All go with `opening`. */
async function prepare(buildDir: string, opening: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), "dormouse-bench-"));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  await buildLimit(folder);

  const toEnv = (name: string, { itemCount, cardsPerPage }: Catalogue) => ({
    BUILD_DIR: buildDir,
    DATA_DIR: join(folder, name),
    ITEMS: String(itemCount),
    CARDS_PER_PAGE: String(cardsPerPage),
    // Each person who logs in has an address of their own.
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
 * The stock server has its services from `app/frame/middleware/services.ts`, which finds `server/` in the working directory: it gets
 * one of its own, which is ours but for the made-up services.
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

/** Built with the settings of `vite.config.ts`, so that pictures and classes have the same names, but without its plugins. */
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
    // Under a test runner Vite would take it for development.
    oxc: { jsx: { development: false } },
    ssr: { noExternal: true },
  });
}

/** The attributes of a link as React calls them. */
function toProps({ crossorigin, ...link }: Link): Link {
  return crossorigin === undefined ? link : { ...link, crossOrigin: crossorigin };
}
