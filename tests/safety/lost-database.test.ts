import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { createDormouse } from "../helpers/dormouse.ts";
import { production, startApp } from "../helpers/running-app.ts";

const someone = { intent: "reset-request", email: "nora@example.org" };

const losses: [how: string, fault: string, lose: (path: string) => void][] = [
  ["removed", "was removed", (path) => rmSync(path)],
  [
    "replaced",
    "was replaced by another file",
    (path) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
  ["cut", "was cut off", (path) => truncateSync(path, 100)],
];

test.each(losses)(
  "a server whose database file is %s says so and ends, and leaves the rest",
  async (how, fault, lose) => {
    await using app = await startApp({});
    const path = join(app.dataDir, "dormouse.sqlite");
    const log = `${path}-wal`;
    const logBytes = statSync(log).size;
    const writes = Array.from({ length: 20 }, () => () => app.openBrowser().post("/login?reset=1", someone));
    expect((await writes[0]?.())?.status).toBe(303);
    lose(path);
    // The server ends within a second: until then, no write is a fault of ours.
    const answers = await Promise.all(
      writes.map((write) =>
        write().then(
          ({ status, headers }) => [status, headers.get("Retry-After")],
          () => "ended",
        ),
      ),
    );
    for (const answer of answers) expect(["ended", [503, "60"]]).toContainEqual(answer);
    expect(await app.ended).toBe(1);
    expect(app.output()).toContain(`${path} ${fault} while it was open, so the server ends`);
    expect(statSync(log).size, "nothing was taken out of its log").toBeGreaterThanOrEqual(logBytes);
    if (how !== "removed") return;

    // The next start makes no empty database.
    const files = readdirSync(app.dataDir);
    const next = await createDormouse({ ...production, DATA_DIR: app.dataDir }).run("member", "list");
    expect(next.code).not.toBe(0);
    expect(next.stderr).toContain(`${path} is missing, although it held a database`);
    expect(readdirSync(app.dataDir)).toEqual(files);
    rmSync(`${path}.made`);
    rmSync(log);
    expect((await createDormouse({ ...production, DATA_DIR: app.dataDir }).run("member", "list")).code).toBe(0);
    expect(existsSync(path)).toBe(true);
  },
);
