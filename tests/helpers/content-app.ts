import { createProviderContent } from "../../server/adapters/provider/content.ts";
import { createWordpress, type WordpressOptions } from "../../server/adapters/wordpress/wordpress.ts";
import { type Catalogue, createCatalogue } from "../../server/content/catalogue/catalogue.ts";
import { type ContentSource, readSource } from "../../server/content/items/source.ts";
import { createProviderClient } from "../../server/provider/client/client.ts";
import { openHostileProvider } from "../fakes/hostile-provider.ts";
import type { FakeContent } from "../fakes/wordpress-items.ts";
import { startWordpressFake, type WordpressFake } from "../fakes/wordpress.ts";
import { openFolder } from "./folder.ts";
import { createQuietLog, type QuietLog } from "./quiet-log.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** A WordPress, and a catalogue that reads it into a temporary folder. */
export type ContentApp = AsyncDisposable & {
  cms: WordpressFake;
  source: ContentSource;
  catalogue: Catalogue;
  clock: TestClock;
  log: QuietLog;
  folder: string;
  /** As a process that starts now finds the same folder and CMS. */
  restart(options?: Partial<WordpressOptions>): { source: ContentSource; catalogue: Catalogue; log: QuietLog };
};

/** `editor`, `subscriber`: their tokens at the CMS, which the source has too unless `given` differs. */
type ContentOptions = {
  content?: FakeContent;
  editor?: string;
  subscriber?: string;
  isClosed?: boolean;
  given?: Partial<WordpressOptions>;
  subfolder?: string;
};

/** After all that was recorded. */
const NOW = "2026-11-20T03:00:00Z";

export async function openContentApp(options: ContentOptions = {}): Promise<ContentApp> {
  const { content, editor, subscriber, isClosed = false, given, subfolder } = options;
  const clock = createTestClock(NOW);
  const { folder, ...removal } = await openFolder();
  const cms = await startWordpressFake({
    clock,
    ...(content && { content }),
    users: { ...(editor && { editor }), ...(subscriber && { subscriber }) },
    isClosed,
    takeTime: (ms) => clock.advance(ms),
    ...(subfolder && { folder: subfolder }),
  });

  function restart(more: Partial<WordpressOptions> = {}) {
    const log = createQuietLog();
    const tokens = { editorToken: editor, readerToken: subscriber };
    const patience = { timeOut: clock.timeOut, wait: async () => undefined };
    const setting = { url: cms.url, ...tokens, clock, log, folder, patience };
    const source = createWordpress({ ...setting, ...given, ...more });
    return { source, catalogue: createTestCatalogue(source, { clock, log }), log };
  }
  return {
    cms,
    clock,
    folder,
    ...restart(),
    restart,
    async [Symbol.asyncDispose]() {
      await cms[Symbol.asyncDispose]();
      await removal[Symbol.asyncDispose]();
    },
  };
}

function createTestCatalogue(source: ContentSource, parts: { clock: TestClock; log: QuietLog }): Catalogue {
  const setting = { productName: "Dormouse", basePath: "/" };
  return createCatalogue({ source, setting, cardsPerPage: 24, ...parts });
}

/** A member who is logged in here, by the provider's token. */
export const held = (token: string, memberId = 1) => ({ memberId, token, sessionHash: `session of ${token}` });

/** A provider whose answers a test decides, at first no items but `reads`, and the members who are logged in to see it. */
export async function openProviderContent(options: { tokens?: ReturnType<typeof held>[]; reads?: unknown[] } = {}) {
  const { tokens = [held("good")], reads } = options;
  const provider = await openHostileProvider();
  provider.behave({ json: [] });
  if (reads) provider.behave({ json: reads }, "media/getreads");
  const { folder, ...removal } = await openFolder();
  const setting = { clock: createTestClock(), log: createQuietLog() };
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
      client: createProviderClient({ ...provider, key: "a key", ...setting }),
      tokens: { find, listNewest, drop },
      folder,
    });
  return {
    provider,
    tokens,
    dropped,
    open,
    source: open(),
    openCatalogue: () => createTestCatalogue(open(), setting),
    clock: setting.clock,
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await removal[Symbol.asyncDispose]();
    },
  };
}

export const readItems = (given: unknown[] | undefined) => given?.map(readSource) ?? [];

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
export const listIds = (list: unknown[]) => list.map((each) => (each as { id: number }).id);
