import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { readMailFolder } from "./helpers/mailbox.ts";
import { startWordpressFake } from "./fakes/wordpress.ts";
import { makeVideos } from "./fakes/wordpress-items.ts";
import { openHostileProvider } from "./fakes/hostile-provider.ts";
import { openFolder } from "./helpers/folder.ts";
import { createCommands } from "./helpers/dormouse.ts";
import { openOffice } from "./helpers/office.ts";
import { production } from "./helpers/running-app.ts";

describe("the app", () => {
  test("emails are listed", async () => {
    await using office = await openOffice();
    const { outbox, transact } = office.services;
    const mail = { subject: "Hello", text: "Hello.", html: "" };
    await transact(async (trx) => {
      await outbox.add({ key: "a", kind: "welcome", to: "Ada@example.org", memberId: 1, mail }, trx);
      await outbox.add({ key: "b", kind: "verification", to: "bo@example.org", mail, isSecret: true }, trx);
    });
    expect(await office.ask("job", "run", "send-mail")).toEqual({ name: "send-mail", result: "done" });
    expect(await readMailFolder(join(office.dataDir, "outbox"))).toHaveLength(2);
    const table = await office.run("mail", "list", "--to", "ada@example.org");
    expect(table.stdout).toMatch(/^ID +EMAIL +TO .*\n1 +welcome +Ada@example\.org +\S+ \S+ +sent \S+ \S+ +1 +–\n$/);
    expect(Object.keys((await office.ask<{ emails: object[] }>("mail", "list")).emails[0] ?? {})).toEqual(
      "id kind to memberId state attempts createdAt dueAt sentAt failedAt failure acknowledgedAt lastError".split(" "),
    );
  });

  test("a test email goes to the folder that the command works on", async () => {
    await using office = await openOffice();
    expect(await office.ask("mail", "test", "olive@example.org")).toMatchObject({ isSent: true });
    expect(await readMailFolder(join(office.dataDir, "outbox"))).toMatchObject([
      { to: "olive@example.org", subject: "A test email from Dormouse" },
    ]);
  });

  test("failed webhook events are listed", async () => {
    await using office = await openOffice();
    const none = await office.run("webhook", "list");
    expect(none).toMatchObject({ code: 0, stdout: "No webhook events have failed.\n" });
    const gateway = office.services.payments.webhookGateway.name;
    const event = { gateway, eventId: "evt_1", kind: "payment", subject: "pi_1", attempts: 21 };
    const receivedAt = office.services.clock();
    await office.services.transact((trx) =>
      trx
        .insertInto("webhookEvents")
        .values({ ...event, receivedAt })
        .execute(),
    );
    const shown = { gateway, id: "evt_1", kind: "payment", subject: "pi_1", attempts: 21, nextTryAt: null };
    expect(await office.ask("webhook", "list")).toEqual({
      webhooks: [{ ...shown, receivedAt: receivedAt.toISOString() }],
    });
    expect((await office.run("webhook", "list")).stdout).toMatch(/^GATEWAY +ID +EVENT .*\n.* evt_1 .* 21 +never\n$/);
  });

  test("jobs are listed", async () => {
    await using office = await openOffice();
    const { jobs } = await office.ask<{ jobs: { name: string }[] }>("job", "list");
    expect(jobs.map(({ name }) => name)).toEqual(office.services.jobs.names());
    expect(jobs[0]).toEqual({
      name: "send-mail",
      everyInMs: 1000,
      isShared: false,
      lastRunAt: null,
      lastRun: null,
      lastFailure: null,
    });
    expect((await office.run("job", "list")).stdout).toMatch(/^send-ending-emails +10 minutes +one for all +– +– +–$/m);
  });

  test("the catalogue says what there is", async () => {
    await using office = await openOffice();
    const counts = { watch: 16, listen: 8, read: 28, learn: 10 };
    const [refreshed, status, table] = await Promise.all([
      office.ask("catalogue", "refresh"),
      office.ask("catalogue", "status"),
      office.run("catalogue", "refresh"),
    ]);
    const current = {
      source: expect.any(String),
      isStale: false,
      readAt: expect.any(String),
      fault: null,
      skipped: [],
      losses: [],
    };
    expect(refreshed).toEqual({ counts, ...current });
    expect(status).toEqual({ counts, ...current });
    expect(table.stdout).toMatch(/^Videos +16\nRecordings +8\nArticles +28\nWebinars +10\n/);
    expect(table.stdout).toContain("Nothing was left out.");
    expect(table.stdout).not.toContain("brought in");
  });

  test("the catalogue lists what its items lack, by kind and by gap", async () => {
    await using office = await openOffice();
    const ask = ["catalogue", "gaps", "--kind", "watch", "--gap", "transcript"];
    const [table, all, none, unknown] = await Promise.all([
      office.run(...ask),
      office.ask<{ counts: Record<string, number>; items: object[] }>("catalogue", "gaps"),
      office.run("catalogue", "gaps", "--gap", "links"),
      office.run("catalogue", "gaps", "--gap", "money"),
    ]);
    expect(table.stdout).toMatch(/^ITEM +TITLE +MISSING\n/);
    expect(table.stdout).toMatch(/^watch 2017 +A sample film from YouTube +No transcript$/m);
    expect(table.stdout.match(/^watch /gm)).toHaveLength(3);
    expect(all.items).toHaveLength(all.counts["any"] ?? 0);
    expect(all.items).toContainEqual({
      kind: "watch",
      id: 2016,
      section: "watch",
      title: expect.stringContaining("village hall"),
      date: expect.any(String),
      isAwakePiece: false,
      findings: expect.arrayContaining([{ gap: "transcript", says: "It has no transcript." }]),
      outsideLinks: [expect.stringMatching(/^https:/)],
    });
    expect(none).toEqual({ code: 0, stdout: "No items match.\n", stderr: "" });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("--gap is one of: any, transcript,") });
  });

  test("the catalogue names the items that lost something, and what, and gives the reasons to programs", async () => {
    const [one, other, ...whole] = makeVideos(4);
    const frames = '<iframe src="https://a.example/"></iframe><iframe src="https://b.example/"></iframe>';
    one!["content"] = { rendered: `<p>a</p>${frames}<script></script>`, protected: false };
    other!["content"] = { rendered: "<p>b</p><form></form>", protected: false };
    await using cms = await startWordpressFake({
      content: { lists: { videos: [one!, other!, ...whole], posts: [], tutorials: [] }, uploads: new Map() },
    });
    await using place = await openFolder();
    const office = createCommands({ DEMO: "true", CMS_URL: cms.url, DATA_DIR: place.folder });
    const refreshed = await office.run("catalogue", "refresh");
    expect(refreshed.code).toBe(0);
    const table =
      /^ITEM +WHAT IT LOST\nwatch 1000 +2 × frame, script\nwatch 1001 +form\n\nAdd --json for the reasons\.$/m;
    expect(refreshed.stdout).toMatch(/^Shown in part +2$/m);
    expect(refreshed.stdout).toMatch(table);
    expect((await office.run("catalogue", "status")).stdout).toMatch(table);
    const { losses } = await office.ask<{ losses: object[] }>("catalogue", "status");
    expect(losses).toEqual([
      {
        kind: "watch",
        id: 1000,
        title: "Video 1000",
        losses: [
          { what: "frame", why: "a.example is not embedded here", count: 1 },
          { what: "frame", why: "b.example is not embedded here", count: 1 },
          { what: "script", why: "scripts of a text never run here", count: 1 },
        ],
      },
      { kind: "watch", id: 1001, title: "Video 1001", losses: [expect.objectContaining({ what: "form" })] },
    ]);
  });
});

test("a provider's content is not read without a logged-in member, and the command says so", async () => {
  await using provider = await openHostileProvider();
  await using place = await openFolder();
  const env = { DEMO: "true", API_URL: provider.url, API_KEY: "a-key-for-tests", DATA_DIR: place.folder };
  const { code, stderr } = await createCommands(env).run("catalogue", "refresh");
  expect(code).toBe(1);
  expect(stderr).toContain("Nothing was read. The provider only shows its content to subscribers");
});

type Diagnosis = { isWell: boolean; findings: { part: string; state: string; says: string }[] };

describe("the doctor", () => {
  async function diagnose(env: Record<string, string>): Promise<Diagnosis & { code: number | null }> {
    const { code, stdout, stderr } = await createCommands(env).run("doctor", "--json");
    expect(stderr.replace(/^There was no database.*\n/, "")).toBe("");
    return { ...(JSON.parse(stdout) as Diagnosis), code };
  }

  const readStates = ({ findings }: Diagnosis) => Object.fromEntries(findings.map(({ part, state }) => [part, state]));
  const readFinding = ({ findings }: Diagnosis, part: string) =>
    findings.find((finding) => finding.part === part)?.says;

  async function makeBuild(dataDir: string): Promise<string> {
    await mkdir(join(dataDir, "build", "server"), { recursive: true });
    await writeFile(join(dataDir, "build", "server", "index.js"), `const basename = "/";\n`);
    return join(dataDir, "build");
  }

  test("a demo that was never started is healthy", async () => {
    await using office = await openOffice();
    const env = { ...office.env, BUILD_DIR: await makeBuild(office.dataDir) };
    const diagnosis = await diagnose(env);
    expect(diagnosis).toMatchObject({ code: 0, isWell: true });
    expect(readStates(diagnosis)).toEqual({
      settings: "ok",
      database: "ok",
      catalogue: "ok",
      jobs: "note",
      emails: "ok",
      refunds: "ok",
      "privacy and terms": "note",
      build: "ok",
      content: "ok",
      mail: "ok",
      cards: "ok",
      "Direct Debits": "ok",
    });
    const { stdout } = await createCommands(env).run("doctor");
    expect(stdout).toMatch(/^PART +STATE +WHAT\nsettings +ok +/);
  });

  test("in production closed parts are notes, and emails that reach no one are a fault", async () => {
    await using place = await openFolder();
    const env = { DATA_DIR: place.folder, BUILD_DIR: await makeBuild(place.folder) };
    const diagnosis = await diagnose({ ...production, ...env });
    expect(diagnosis.code).toBe(1);
    expect(readStates(diagnosis)).toMatchObject({ cards: "note", "Direct Debits": "note" });
    expect(diagnosis.findings.filter(({ state }) => state === "wrong").map(({ part }) => part)).toEqual(["mail"]);
    expect(readFinding(diagnosis, "mail")).toMatch(
      /^Emails become files in .*outbox\. Emails are only written to files\. Set SMTP_URL to send them\.$/,
    );
    expect(readFinding(diagnosis, "cards")).toContain("people can only join with a code");
  });

  test("each broken part is named with what to do, and the rest is examined all the same", async () => {
    await using office = await openOffice();
    const build = await makeBuild(office.dataDir);
    const file = join(office.dataDir, "file");
    await writeFile(file, "");
    const [settings, noBuild, elsewhere, noFolder] = await Promise.all([
      diagnose({ ...production, SESSION_SECRET: "short", ORIGIN: "" }),
      diagnose({ ...office.env, BUILD_DIR: join(office.dataDir, "nowhere") }),
      diagnose({ ...office.env, BUILD_DIR: build, BASE_PATH: "/club/" }),
      diagnose({ ...office.env, BUILD_DIR: build, DATA_DIR: join(file, "data") }),
    ]);
    expect(settings.code).toBe(1);
    expect(settings.findings.map(({ part, state }) => [part, state])).toEqual([
      ["settings", "wrong"],
      ["settings", "wrong"],
    ]);
    expect(noBuild.code).toBe(1);
    expect(readFinding(noBuild, "build")).toMatch(/Run npm run build\.$/);
    expect(readFinding(elsewhere, "build")).toContain("a different path from BASE_PATH /club/");
    expect(readStates(noFolder)).toMatchObject({ database: "wrong", mail: "wrong", build: "ok", cards: "ok" });
    expect(readFinding(noFolder, "database")).toContain("Is DATA_DIR right");
  });
});
