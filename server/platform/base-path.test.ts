import { expect, test } from "vitest";

import { readBasePath } from "./base-path.ts";

test.each([
  [undefined, "/"],
  ["", "/"],
  ["/", "/"],
  ["members", "/members/"],
  ["/members", "/members/"],
  ["members/", "/members/"],
  ["/members/", "/members/"],
  ["/members/area", "/members/area/"],
  ["//members///area//", "/members/area/"],
  ["/v1.2/dor_mouse-~x", "/v1.2/dor_mouse-~x/"],
])("%j is served under %s", (setting, path) => expect(readBasePath(setting)).toBe(path));

test("a base path stays as it is when it is read again", () => {
  for (const setting of ["", "members", "/members/area/"]) {
    expect(readBasePath(readBasePath(setting))).toBe(readBasePath(setting));
  }
});

test.each([
  "..",
  "/../members",
  "/members/..",
  "/members/../area",
  "/./members",
  "/my members",
  "/members?x=1",
  "/members#top",
  "/%2e%2e/members",
  "\\members",
  "/members\n",
  "/mémbers",
  "/<script>",
  "https://members.example/",
])("%j is no base path, and the mistake says so", (setting) => {
  expect(() => readBasePath(setting)).toThrow(`BASE_PATH must be a plain path such as /members/`);
});
