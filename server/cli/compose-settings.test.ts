import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

import { production } from "../../tests/helpers/running-app.ts";
import { listComposeMistakes } from "./compose-settings.ts";

const database = ["postgres://dormouse", "a-password-of-tests@database:5432/dormouse"].join(":");
const good = {
  ...production,
  DEMO: "false",
  BIND_ADDRESS: "0.0.0.0",
  POSTGRES_PASSWORD: "a-password-of-tests",
  DATABASE_URL: database,
};

test("settings that are good for members have no mistake, with a database of their own or another", () => {
  expect(listComposeMistakes(good)).toEqual([]);
  const elsewhere = {
    POSTGRES_PASSWORD: "",
    DATABASE_URL: ["postgres://dormouse", "x@db.example.org/dormouse"].join(":"),
  };
  expect(listComposeMistakes({ ...good, ...elsewhere })).toEqual([]);
});

test.each([
  ["DEMO", "true"],
  ["DEMO", undefined],
  ["BIND_ADDRESS", ""],
  ["POSTGRES_PASSWORD", ""],
  ["POSTGRES_PASSWORD", "dormouse"],
  ["POSTGRES_PASSWORD", "with@an-address:in-it"],
  ["SESSION_SECRET", "too-short"],
  ["SESSION_SECRET", ""],
  ["ORIGIN", ""],
  ["CONTACT_EMAIL", ""],
])("a bad %s, %j, is named and nothing else is", (name, value) => {
  expect(listComposeMistakes({ ...good, [name]: value })).toEqual([expect.stringContaining(name)]);
});

type Service = {
  profiles?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  ports?: string[];
  environment?: Record<string, string>;
};
const { services } = parse(readFileSync("compose.yaml", "utf8"), { merge: true }) as {
  services: Record<string, Service>;
};

test("each container is read-only, without capabilities of its own, and limited", () => {
  for (const [name, service] of Object.entries(services)) {
    expect({ name, ...service }).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      mem_limit: expect.any(String) as string,
    });
  }
});

test("a demo listens on this machine alone, and production decides where by itself", () => {
  const ports = Object.values(services).flatMap((service) => service.ports ?? []);
  expect(ports.filter((port) => !/^(?:127\.0\.0\.1|\$\{BIND_ADDRESS:-127\.0\.0\.1\}):/.test(port))).toEqual([]);
  expect(services["settings"]?.profiles).toEqual(["production"]);
  expect(services["settings"]?.environment).toMatchObject({ ORIGIN: "${ORIGIN:-}", DEMO: "${DEMO:-true}" });
});
