import { inject } from "vitest";

import { readConfig } from "../../server/config.ts";
import type { ContentSource } from "../../server/content/content-source.ts";
import { openDatabase, type Database, type Engine } from "../../server/database/database.ts";
import type { Mailer, Message } from "../../server/mail/mailer.ts";
import { createRooms, type Rooms, type RoomsOptions } from "../../server/rooms.ts";
import { createPostgresDatabase } from "./postgres-server.ts";
import { createQuietLog, type QuietLog } from "./quiet-log.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** All rooms of a demo over one database, without content, with a clock that stands still and letters kept in memory. */
export type House = AsyncDisposable & {
  rooms: Rooms;
  clock: TestClock;
  log: QuietLog;
  database: Database;
  letters: Message[];
};

const noContent: ContentSource = { listItems: async () => [], findMedia: async () => undefined };

export async function openHouse(engine: Engine, options: RoomsOptions & { clock?: TestClock } = {}): Promise<House> {
  const url = engine === "postgres" ? await createPostgresDatabase(inject("postgresUrl")) : undefined;
  const database =
    options.database ?? (await openDatabase(url ? { kind: "postgres", url } : { kind: "sqlite", path: ":memory:" }));
  const clock = options.clock ?? createTestClock();
  const log = createQuietLog();
  const letters: Message[] = [];
  const mailer: Mailer = {
    async send(message) {
      letters.push(message);
      return { ok: true };
    },
  };
  const config = readConfig({ DEMO: "true", ORIGIN: "http://dormouse.test" });
  const rooms = await createRooms(config, { mailer, content: noContent, ...options, clock, log, database });
  return { rooms, clock, log, database, letters, [Symbol.asyncDispose]: () => rooms.close() };
}
