import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

import { openFolder } from "../tests/helpers/folder.ts";
import { findOverweight, type Budgets } from "./budgets.ts";

/** A client build of one screen and a route without any: what each file weighs compressed, and what its script contains. */
async function openBuild(texts: Record<string, string> = {}, screen = "routes/watch", parentId = "root") {
  const opened = await openFolder();
  const { folder } = opened;
  const assets = join(folder, "assets");
  await mkdir(assets);
  const part = (name: string, css: string[] = []) => ({ module: `/members/assets/${name}.js`, imports: [], css });
  const manifest = {
    entry: { ...part("entry"), imports: ["/members/assets/framework.js"] },
    url: "/members/assets/manifest-4f2a.js",
    routes: {
      root: { ...part("root", ["/members/assets/root.css"]), imports: ["/members/assets/framework.js"] },
      [screen]: {
        ...part("watch", ["/members/assets/watch.css", "/members/assets/root.css#"]),
        parentId,
        hasDefaultExport: true,
        clientActionModule: "/members/assets/action.js",
      },
      "routes/frame": { ...part("frame"), parentId: "root" },
      "routes/api": part("api"),
    },
  };
  const sizes = {
    entry: 100,
    framework: 5000,
    root: 200,
    watch: 700,
    action: 50,
    frame: 40,
    "manifest-4f2a": 300,
    "later-a": 900,
    "later-b": 400,
  };
  for (const [name, size] of Object.entries(sizes)) {
    await writeFile(join(assets, `${name}.js`), texts[name] ?? "");
    await writeFile(join(assets, `${name}.js.br`), Buffer.alloc(size));
  }
  for (const [name, size] of Object.entries({ root: 30, watch: 20 })) {
    await writeFile(join(assets, `${name}.css.br`), Buffer.alloc(size));
  }
  await writeFile(join(assets, "manifest-4f2a.js"), `window.__reactRouterManifest=${JSON.stringify(manifest)};`);
  return opened;
}

const exact: Budgets = { script: 6350, scriptOfForms: 6350, scriptWithLargestPart: 6350, style: 50 };

test("a build exactly within its budgets passes: each file counts once, and a route without a screen does not count", async () => {
  await using build = await openBuild();
  expect(findOverweight(build.folder, exact)).toEqual([]);
});

test("one byte too many is reported with the screen, the budget and the largest files", async () => {
  await using build = await openBuild();
  expect(findOverweight(build.folder, { ...exact, script: 6349, style: 49 })).toEqual([
    "The script of routes/watch is 6.3 kB and may be 6.3 kB: framework.js 5.0 kB, watch.js 0.7 kB, manifest-4f2a.js 0.3 kB, root.js 0.2 kB.",
    "The style of routes/watch is 0.1 kB and may be 0.0 kB: root.css 0.0 kB, watch.css 0.0 kB.",
  ]);
});

test("a screen with forms has a budget of its own", async () => {
  await using build = await openBuild({}, "routes/login");
  expect(findOverweight(build.folder, { ...exact, script: 0 })).toEqual([]);
  expect(findOverweight(build.folder, { ...exact, scriptOfForms: 6349 })).toHaveLength(1);
});

test("a screen brings the script of the layouts around it", async () => {
  await using build = await openBuild({}, "routes/watch", "routes/frame");
  const withFrame = { ...exact, script: 6390, scriptWithLargestPart: 6390 };
  expect(findOverweight(build.folder, withFrame)).toEqual([]);
  expect(findOverweight(build.folder, { ...withFrame, script: 6389 })).toHaveLength(1);
});

test("of the lazily loaded parts the largest counts", async () => {
  await using build = await openBuild({ watch: 'x=()=>import(`./later-b.js`);y=()=>import("./later-a.js")' });
  expect(findOverweight(build.folder, { ...exact, scriptWithLargestPart: 7250 })).toEqual([]);
  expect(findOverweight(build.folder, { ...exact, scriptWithLargestPart: 7249 })).toEqual([
    "The script of routes/watch with what it fetches later is 7.3 kB and may be 7.2 kB: framework.js 5.0 kB, later-a.js 0.9 kB, watch.js 0.7 kB, manifest-4f2a.js 0.3 kB.",
  ]);
});
