import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

import { openFolder } from "../tests/helpers/folder.ts";
import { findOverweight, type Budgets } from "./budgets.ts";

type BuildOptions = { texts?: Record<string, string>; imports?: string[]; parentId?: string };

/** A client build of one screen and a route without any, with compressed sizes and scripts. */
async function openBuild({ texts = {}, imports = [], parentId = "root" }: BuildOptions = {}) {
  const opened = await openFolder();
  const { folder } = opened;
  const assets = join(folder, "assets");
  await mkdir(assets);
  const chunk = (name: string, css: string[] = []) => ({ module: `/members/assets/${name}.js`, imports: [], css });
  const manifest = {
    entry: { ...chunk("entry"), imports: ["/members/assets/framework.js"] },
    url: "/members/assets/manifest-4f2a.js",
    routes: {
      root: { ...chunk("root", ["/members/assets/root.css"]), imports: ["/members/assets/framework.js"] },
      "routes/watch": {
        ...chunk("watch", ["/members/assets/watch.css", "/members/assets/root.css#"]),
        imports,
        parentId,
        hasDefaultExport: true,
        clientActionModule: "/members/assets/action.js",
      },
      "routes/frame": { ...chunk("frame"), parentId: "root" },
      "routes/api": chunk("api"),
    },
  };
  const sizes = {
    entry: 100,
    framework: 5000,
    root: 200,
    watch: 700,
    action: 50,
    frame: 40,
    "forms-5d": 10,
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

const exact: Budgets = { script: 6350, scriptOfForms: 6350, scriptWithLargestImport: 6350, style: 50 };

test("a build exactly within its budgets passes: each file counts once, and a route without a screen does not count", async () => {
  await using build = await openBuild();
  expect(findOverweight(build.folder, exact)).toEqual([]);
});

test("one byte too many is reported with the screen, its bytes, the limit, the largest files and what to do", async () => {
  await using build = await openBuild();
  expect(findOverweight(build.folder, { ...exact, script: 6349, style: 49 })).toEqual([
    expect.stringMatching(
      /^routes\/watch: 6,350 bytes of script, 1 over the limit of 6,349\.\n {2}Largest: framework\.js 5,000, watch\.js 700, manifest-4f2a\.js 300, root\.js 200, entry\.js 100\.\n {2}Load .*`import\(\)`.*raise `script` in tools\/budgets\.ts/,
    ),
    expect.stringMatching(
      /^routes\/watch: 50 bytes of style, 1 over the limit of 49\.\n {2}Largest: root\.css 30, watch\.css 20\.\n {2}Move .*raise `style` in/,
    ),
  ]);
});

test("a screen that imports the form layer has the budget of forms, whatever its name is", async () => {
  await using build = await openBuild({ imports: ["/members/assets/forms-5d.js"] });
  const limits = { ...exact, script: 0, scriptOfForms: 6360, scriptWithLargestImport: 6360 };
  expect(findOverweight(build.folder, limits)).toEqual([]);
  expect(findOverweight(build.folder, { ...limits, scriptOfForms: 6359 })).toEqual([
    expect.stringMatching(/^routes\/watch: 6,360 bytes of script, 1 over .*\n.*\n.*raise `scriptOfForms` in/),
  ]);
});

test("a screen brings the script of the layouts around it", async () => {
  await using build = await openBuild({ parentId: "routes/frame" });
  const withFrame = { ...exact, script: 6390, scriptWithLargestImport: 6390 };
  expect(findOverweight(build.folder, withFrame)).toEqual([]);
  expect(findOverweight(build.folder, { ...withFrame, script: 6389 })).toHaveLength(1);
});

test("of the lazily loaded parts the largest counts", async () => {
  await using build = await openBuild({
    texts: { watch: 'x=()=>import(`./later-b.js`);y=()=>import("./later-a.js")' },
  });
  expect(findOverweight(build.folder, { ...exact, scriptWithLargestImport: 7250 })).toEqual([]);
  expect(findOverweight(build.folder, { ...exact, scriptWithLargestImport: 7249 })).toEqual([
    expect.stringMatching(
      /^routes\/watch: 7,250 bytes of script with what it fetches later, 1 over the limit of 7,249\.\n {2}Largest: framework\.js 5,000, later-a\.js 900, /,
    ),
  ]);
});
