import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

import { production as settings } from "./helpers/running-app.ts";

type Service = {
  environment?: Record<string, string>;
  image?: string;
  ports?: string[];
  depends_on?: string[] | Record<string, { condition: string; required?: boolean }>;
};
type ComposeFile = {
  name: string;
  services: Record<string, Service>;
  networks: { inside: { ipam: { config: { subnet: string }[] } } };
};

const readFile = (path: string) => parse(readFileSync(path, "utf8"), { merge: true }) as ComposeFile;
const production = readFile("compose.yaml");
const demo = readFile("compose.demo.yaml");

test.each([
  ["compose.yaml", production],
  ["compose.demo.yaml", demo],
])("%s has each container read-only, without capabilities of its own, limited, and in no profile", (_, file) => {
  for (const [name, service] of Object.entries(file.services)) {
    expect({ name, ...service }).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      mem_limit: expect.any(String) as string,
    });
    expect(service).not.toHaveProperty("profiles");
  }
});

test("production is never a demo, and waits for its own check and a password without a default", () => {
  const { dormouse, check, database } = production.services;
  for (const service of [dormouse, check]) {
    expect(service?.environment?.["DEMO"]).toBe("false");
    expect(service?.environment?.["DATABASE_URL"]).toMatch(/postgres:\/\/dormouse:\$\{POSTGRES_PASSWORD:\?/);
  }
  expect(database?.environment?.["POSTGRES_PASSWORD"]).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
  expect(dormouse?.depends_on).toMatchObject({ check: { condition: "service_completed_successfully" } });
  expect(dormouse?.depends_on).not.toMatchObject({ check: { required: false } });
});

test("a demo listens on this machine alone, reads no setting of production, and shares nothing with it", () => {
  const ports = Object.values(demo.services).flatMap((service) => service.ports ?? []);
  expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
  expect(readFileSync("compose.demo.yaml", "utf8")).not.toMatch(/\$\{|env_file/);
  const subnetOf = ({ networks }: ComposeFile) => networks.inside.ipam.config[0]?.subnet;
  const shared = [
    [demo.name, production.name],
    [demo.services["dormouse"]?.image, production.services["dormouse"]?.image],
    [subnetOf(demo), subnetOf(production)],
  ];
  expect(shared.filter(([one, other]) => one === other)).toEqual([]);
});

test("the check refuses a short password of compose.yaml's own database", () => {
  const check = (POSTGRES_PASSWORD: string) =>
    spawnSync(process.execPath, ["server/cli/check-start.ts"], {
      env: { ...settings, POSTGRES_PASSWORD },
      encoding: "utf8",
    });
  const refused = check("k7Qz2mWx4Rt7Ny1");
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("POSTGRES_PASSWORD is too short")]);
  expect(refused.stderr).not.toContain("    at ");
  expect(check("k7Qz2mWx4Rt7Ny1L").status).toBe(0);
});

const hasCompose = spawnSync("docker", ["compose", "version"]).status === 0;

// A skipped test would count as failed.
test.each(hasCompose ? ["docker"] : [])("Compose reads the demo, and refuses production without a password", () => {
  const config = ["compose", "--env-file", "/dev/null", "config", "--quiet"];
  execFileSync("docker", config.toSpliced(1, 0, "--file", "compose.demo.yaml"));
  const { PATH } = process.env;
  const refused = spawnSync("docker", config, { env: { PATH, ORIGIN: "https://members.example.org" } });
  expect(refused.status).not.toBe(0);
  expect(refused.stderr.toString()).toContain("POSTGRES_PASSWORD");
});
