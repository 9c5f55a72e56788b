import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";

import { readConfig } from "../server/config.ts";
import { start } from "../server/main.ts";
import { installFromDebian } from "./helpers/debian.ts";
import { openFolder } from "./helpers/folder.ts";
import { createQuietLog } from "./helpers/quiet-log.ts";

/* Checks alert rules and dashboard against the server's metrics and, where installed, a real Prometheus. */

const PROMTOOL = "/usr/bin/promtool";
if (!existsSync(PROMTOOL)) installFromDebian([["prometheus"]]);
const hasPrometheus = existsSync(PROMTOOL);

const RULES = "deploy/prometheus/dormouse.rules.yml";

type Rule = { alert: string; expr: string; for?: string; labels: { severity: string } };
type Panel = { title: string; targets?: { expr: string }[] };
type Dashboard = { panels: Panel[] };

const rules = (parse(readFileSync(RULES, "utf8")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(readFileSync("deploy/grafana/dormouse.json", "utf8")) as Dashboard;
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr: expr.replaceAll("$__rate_interval", "20s").replaceAll("$server", ".*") })),
);

/** With metrics, after a few requests. */
async function openServer() {
  const home = await openFolder();
  const env = { DEMO: "true", HOST: "127.0.0.1", PORT: "0", METRICS_PORT: "0", DATA_DIR: home.folder };
  const running = await start(readConfig(env), undefined, { log: createQuietLog() });
  const visit = async (path: string) => (await fetch(`http://127.0.0.1:${running.port}${path}`)).arrayBuffer();
  await Promise.all(["/login", "/", "/nothing-here"].map(visit));
  return {
    ...running,
    folder: home.folder,
    visit,
    target: `127.0.0.1:${running.metricsPort}`,
    async [Symbol.asyncDispose]() {
      await running.stop();
      await home[Symbol.asyncDispose]();
    },
  };
}

test("rules and dashboard name no metric and no label that the server does not write", async () => {
  await using server = await openServer();
  const body = await (await fetch(`http://${server.target}/metrics`)).text();
  const families = [...body.matchAll(/^# TYPE (\S+) (\w+)$/gm)];
  const isHistogram = (type: string | undefined) => type === "histogram";
  const names = new Set(
    families.flatMap(([, name = "", type]) =>
      isHistogram(type) ? ["_bucket", "_sum", "_count"].map((end) => name + end) : [name],
    ),
  );
  const texts = [...rules.map(({ expr }) => expr), ...queries.map(({ expr }) => expr)];
  const used = texts.flatMap((text) => text.match(/\b(?:dormouse|process|nodejs)_\w+/g) ?? []);
  expect(used.length).toBeGreaterThan(40);
  expect(used.filter((name) => !names.has(name))).toEqual([]);
  // `promtool check metrics` warns of a gauge that is named like a counter.
  expect(families.filter(([, name = "", type]) => type === "gauge" && name.endsWith("_total"))).toEqual([]);
});

test("there are five alerts, and each says what to do", () => {
  expect(rules.map(({ alert, labels }) => `${alert}: ${labels.severity}`)).toEqual([
    "DormouseDown: page",
    "DormouseNotReady: page",
    "DormouseErrorLine: page",
    "DormouseWorkStopped: page",
    "DormouseGivenUp: morning",
  ]);
});

test.skipIf(!hasPrometheus)("promtool takes the rules, and they fire for what lasts and for nothing that heals", () => {
  for (const args of [
    ["check", "rules", RULES],
    ["test", "rules", "tests/prometheus/rules.test.yml"],
  ]) {
    const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { encoding: "utf8" });
    expect({ args, status, output: status === 0 ? "" : stdout + stderr }).toEqual({ args, status: 0, output: "" });
  }
});

test.skipIf(!hasPrometheus)("promtool has nothing to say about the names of the metrics", async () => {
  await using server = await openServer();
  const input = await (await fetch(`http://${server.target}/metrics`)).text();
  const { stdout, stderr } = spawnSync(PROMTOOL, ["check", "metrics"], { input, encoding: "utf8" });
  expect(stdout + stderr).toBe("");
});

/** Our settings, but for the target and a pace for tests. */
async function openPrometheus(folder: string, target: string) {
  const settings = parse(readFileSync("deploy/prometheus/prometheus.yml", "utf8")) as {
    global: object;
    rule_files: string[];
    scrape_configs: { job_name: string; static_configs: object[] }[];
  };
  const [scrape] = settings.scrape_configs;
  const config = join(folder, "prometheus.yml");
  const changed = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [resolve(RULES)],
    scrape_configs: [{ ...scrape, static_configs: [{ targets: [target] }] }],
  };
  await writeFile(config, stringify(changed));
  execFileSync(PROMTOOL, ["check", "config", config]);
  const port = await findFreePort();
  const data = `--storage.tsdb.path=${join(folder, "prometheus")}`;
  const child = spawn(
    "/usr/bin/prometheus",
    [`--config.file=${config}`, data, `--web.listen-address=127.0.0.1:${port}`],
    {
      stdio: "ignore",
    },
  );
  const ended = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  const ask = async <Answer>(path: string): Promise<Answer | undefined> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => undefined);
    return answer && ((await answer.json()) as { status: string; data: Answer }).data;
  };
  return {
    /** `undefined` for a refused query. */
    count: async (expr: string) =>
      (await ask<{ result: unknown[] }>(`query?query=${encodeURIComponent(expr)}`))?.result.length,
    listRules: async () => (await ask<{ groups: { rules: { name: string; health: string }[] }[] }>("rules"))?.groups,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await once(server.close(), "close");
  return port;
}

/** With SQLite, and before anything was paid, called or failed. */
const empty = new Set([
  "Connections to PostgreSQL",
  "Failed runs in an hour",
  "Calls of gateways and mail server a second",
  "Calls that failed in an hour",
  "Time of a call, 95 %",
]);

test.skipIf(!hasPrometheus)(
  "a real Prometheus scrapes it, and each panel of the dashboard has something to show",
  async () => {
    await using server = await openServer();
    await using prometheus = await openPrometheus(server.folder, server.target);
    await expect.poll(() => prometheus.count('up{job="dormouse"} == 1'), { timeout: 60_000 }).toBe(1);
    for (const { title, expr } of queries.filter((query) => !empty.has(query.title))) {
      const look = async () => {
        await server.visit("/nothing-here");
        return prometheus.count(expr);
      };
      await expect.poll(look, { timeout: 60_000, message: `${title}: ${expr}` }).toBeGreaterThan(0);
    }
    for (const { title, expr } of queries.filter((query) => empty.has(query.title))) {
      expect(await prometheus.count(expr), `${title}: ${expr}`).toBe(0);
    }
    const found = (await prometheus.listRules())?.flatMap((group) => group.rules) ?? [];
    expect(found.map(({ name, health }) => `${name} ${health}`)).toEqual(rules.map(({ alert }) => `${alert} ok`));
  },
);
