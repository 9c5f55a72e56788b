import { expect, test } from "vitest";

import { findRefusedLicences } from "./licences.ts";

test.each([
  ["node_modules/a", "MIT", true],
  ["node_modules/a", "(MIT OR GPL-3.0-only)", true],
  ["node_modules/a", "MIT AND ISC", true],
  ["node_modules/a", "GPL-2.0-or-later", false],
  ["node_modules/a", "MIT AND GPL-3.0-only", false],
  ["node_modules/a", "LGPL-3.0-or-later", false],
  ["node_modules/a", "OFL-1.1", false],
  ["node_modules/a", "SEE LICENSE IN LICENSE", false],
  ["node_modules/a", undefined, false],
  ["node_modules/a/node_modules/@scope/b", "AGPL-3.0-only", false],
  ["node_modules/@img/sharp-libvips-linux-x64", "LGPL-3.0-or-later", true],
  ["node_modules/@img/sharp-linux-x64", "LGPL-3.0-or-later", false],
  ["node_modules/@fontsource/fraunces", "OFL-1.1", true],
])("of packages in production, %s with the licence %s is allowed: %s", (path, license, isAllowed) => {
  const locked = license === undefined ? {} : { license };
  const name = path.replace(/^.*node_modules\//, "");
  expect(findRefusedLicences({ "": { license: "GPL-3.0-only" }, [path]: locked })).toEqual(
    isAllowed ? [] : [`${name}: ${license ?? "no licence"}`],
  );
  expect(findRefusedLicences({ [path]: { ...locked, dev: true } })).toEqual([]);
});
