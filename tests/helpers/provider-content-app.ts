import { createProviderContent } from "../../server/adapters/provider/content.ts";
import { createCatalogue } from "../../server/content/catalogue.ts";
import { createProviderClient } from "../../server/provider/client/client.ts";
import { openHostileProvider } from "../fakes/hostile-provider.ts";
import { openFolder } from "./folder.ts";
import { createQuietLog } from "./quiet-log.ts";
import { createTestClock } from "./test-clock.ts";

/** A member who is logged in here, by the provider's token. */
export const held = (token: string, memberId = 1) => ({ memberId, token, sessionHash: `session of ${token}` });

/** The content of a provider whose answers a test decides, and the members who are logged in to see it. */
export async function openProviderContent({ tokens = [held("good")] } = {}) {
  const provider = await openHostileProvider();
  const { folder, ...removal } = await openFolder();
  const setting = { clock: createTestClock(), log: createQuietLog() };
  const patience = { callInMs: 1000, listInMs: 1000, pauseInMs: 1 };
  const dropped: string[] = [];
  const drop = async ({ token }: { token: string }) => {
    dropped.push(token);
    tokens.splice(0, tokens.length, ...tokens.filter((each) => each.token !== token));
  };
  const find = async (memberId: number) => tokens.find((each) => each.memberId === memberId);
  const listNewest = async (count: number, besides: string[] = []) =>
    tokens.filter(({ sessionHash }) => !besides.includes(sessionHash)).slice(0, count);
  const open = () =>
    createProviderContent({
      ...setting,
      client: createProviderClient({ url: provider.url, key: "a key", patience, ...setting }),
      tokens: { find, listNewest, drop },
      folder,
    });
  return {
    provider,
    tokens,
    dropped,
    open,
    source: open(),
    openCatalogue: () =>
      createCatalogue({
        ...setting,
        source: open(),
        setting: { productName: "Dormouse", basePath: "/" },
        cardsPerPage: 24,
      }),
    clock: setting.clock,
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await removal[Symbol.asyncDispose]();
    },
  };
}

export const item = (id: number, more: object = {}) => ({
  id,
  type: "post",
  date: "2026-11-20T07:00:00",
  title: { rendered: `Item ${id}` },
  content: { rendered: "<p>Sleep.</p>" },
  ...more,
});
export const items = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => item(from + index));
export const idsOf = (list: unknown[]) => list.map((each) => (each as { id: number }).id);
