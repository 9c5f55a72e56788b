import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { buildLimit, writeLimitPages, type LimitPage } from "./build-limit.ts";
import { EVERYDAY_CARDS, everydayPages, longList } from "./pages.ts";
import { logIn } from "./requests.ts";
import { startServer, type Server } from "./servers.ts";
import { LIST_LENGTH, SMALLEST_COUNT } from "./synthetic-content.ts";
import { findLinks } from "./weight.ts";

/** A server and the cookie of a member who is logged in there. */
export type House = { server: Server; cookie: string };

/** All that is compared, running. */
export type Stage = AsyncDisposable & {
  folder: string;
  /** Our host with the long list, over catalogues of three sizes. */
  smallest: House;
  thousand: House;
  tenThousand: House;
  /** Our host with the list that members get, over a hundred items. */
  everyday: House;
  /** The same build and the same rooms under `react-router-serve`. */
  stock: House;
  /** Answers `/longList` and each of `everydayPages` by its name. */
  limit: Server;
};

type Catalogue = { itemCount: number; cardsPerPage: number };

const catalogues = {
  smallest: { itemCount: SMALLEST_COUNT, cardsPerPage: LIST_LENGTH },
  thousand: { itemCount: 1000, cardsPerPage: LIST_LENGTH },
  tenThousand: { itemCount: 10_000, cardsPerPage: LIST_LENGTH },
  everyday: { itemCount: 100, cardsPerPage: EVERYDAY_CARDS },
} satisfies Record<string, Catalogue>;

/** Starts every server of the bench, each with a data directory of its own that goes with the stage. */
export async function openStage(buildDir: string): Promise<Stage> {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "dormouse-bench-"));
  opening.defer(() => rm(folder, { recursive: true, force: true }));

  const envOf = (name: string, { itemCount, cardsPerPage }: Catalogue) => ({
    BUILD_DIR: buildDir,
    DATA_DIR: join(folder, name),
    ITEMS: String(itemCount),
    CARDS_PER_PAGE: String(cardsPerPage),
  });
  const openHouse = async (name: keyof typeof catalogues): Promise<House> => {
    const server = await startServer(["tests/load/serve.ts"], { env: envOf(name, catalogues[name]) });
    opening.use(server);
    return { server, cookie: await logIn(server) };
  };
  const openStock = async (): Promise<House> => {
    const command = [resolve("node_modules/.bin/react-router-serve"), join(buildDir, "server", "index.js")];
    const env = envOf("stock", catalogues.smallest);
    const server = opening.use(await startServer(command, { env, cwd: await makeStockHome(folder) }));
    return { server, cookie: await logIn(server) };
  };

  const smallest = await openHouse("smallest");
  const limit = opening.use(await startLimit(folder, smallest));
  const [thousand, tenThousand, everyday, stock] = await Promise.all([
    openHouse("thousand"),
    openHouse("tenThousand"),
    openHouse("everyday"),
    openStock(),
  ]);
  const open = opening.move();
  return {
    folder,
    smallest,
    thousand,
    tenThousand,
    everyday,
    stock,
    limit,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/**
 * The stock server has its rooms from `app/middleware/rooms.ts`, which finds `server/` in the working directory: it gets
 * one of its own, which is ours but for the made-up rooms.
 */
async function makeStockHome(folder: string): Promise<string> {
  const home = join(folder, "stock-home");
  await mkdir(join(home, "server"), { recursive: true });
  for (const name of await readdir("server")) {
    await symlink(
      resolve(name === "rooms.ts" ? "tests/load/synthetic-rooms.ts" : `server/${name}`),
      join(home, "server", name),
    );
  }
  return home;
}

async function startLimit(folder: string, house: House): Promise<Server> {
  const pages: Record<string, LimitPage> = { longList: { path: longList.path, ...catalogues.smallest } };
  for (const [name, { path }] of Object.entries(everydayPages)) pages[name] = { path, ...catalogues.everyday };
  const file = join(folder, "limit-pages.json");
  await writeLimitPages(file, { links: await findLinks({ ...house, path: longList.path }), pages });
  return startServer([await buildLimit(folder)], { readyPath: "/landing", env: { PAGES: file } });
}
