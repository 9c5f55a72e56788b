import { expect, test } from "vitest";

import { readConfig } from "../config.ts";

const production = {
  SESSION_SECRET: "k3Jd9vQ2mXw7Zp4Rt8Yb5Nc1Hs6Lf0Ga",
  ORIGIN: "https://members.example.org",
  CONTACT_URL: "https://www.example.org/contact",
  CONTACT_EMAIL: "hello@example.org",
};
const key = "Nd4Hv9Ws2Tk7Yb1Fm6Rz3Lq8Xc5Jg0Pa";

test("there is no API unless a key is set", () => {
  expect(readConfig(production).api).toBeUndefined();
  expect(readConfig({ ...production, API_KEY: "" }).api).toBeUndefined();
  expect(readConfig({ ...production, API_KEY: key }).api).toEqual({ key, takesQueryCredentials: false });
  expect(readConfig({ ...production, API_KEY: key, API_QUERY_CREDENTIALS: "true" }).api?.takesQueryCredentials).toBe(
    true,
  );
});

test("outside a demo the key has at least 32 characters, and it never has a character that a header cannot carry", () => {
  expect(() => readConfig({ ...production, API_KEY: "short" })).toThrow("API_KEY is too short");
  expect(readConfig({ DEMO: "true", API_KEY: "short" }).api?.key).toBe("short");
  for (const bad of [`${key} ${key}`, `${key}\u00e9`, `${key}\n`]) {
    expect(() => readConfig({ ...production, API_KEY: bad })).toThrow("API_KEY may only have letters");
  }
  expect(() => readConfig({ ...production, API_QUERY_CREDENTIALS: "perhaps" })).toThrow("API_QUERY_CREDENTIALS");
});
