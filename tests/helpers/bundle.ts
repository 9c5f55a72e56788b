import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "vite";

/** Our programs that tests often start, by the bundle's name. */
const programs = {
  dormouse: "server/cli/main.ts",
  "saga-process": "tests/saga/saga-process.ts",
  "merge-process": "tests/saga/merge-process.ts",
  "gift-process": "tests/saga/gift-process.ts",
};

export type Bundles = Record<keyof typeof programs, string>;

/**
 * Bundles each program into one file: Node then finds one module in place of a thousand, two thirds of the time of a
 * start. Nothing else about the process changes.
 */
export async function bundlePrograms(folder: string): Promise<Bundles> {
  await build({
    configFile: false,
    logLevel: "warn",
    plugins: [keepPlaces],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      target: "node24",
      rolldownOptions: {
        input: programs,
        external: ["pg-native"],
        output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
      },
    },
  });
  const files = Object.keys(programs).map((name) => [name, `${folder}/${name}.mjs`]);
  return Object.fromEntries(files) as Bundles;
}

/** A module still finds what is beside its source. */
const keepPlaces: Plugin = {
  name: "keep-places",
  transform(code, id) {
    // A CommonJS package looks for its compiled part beside itself.
    if (/\b__dirname\b/.test(code)) return code.replaceAll(/\b__dirname\b/g, JSON.stringify(dirname(id)));
    if (!code.includes("import.meta.")) return undefined;
    const url = JSON.stringify(pathToFileURL(id).href);
    return code
      .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))
      .replaceAll("import.meta.url", url)
      .replaceAll(/import\.meta\.resolve\(([^)]+)\)/g, `new URL($1, ${url}).href`)
      .replaceAll("import.meta.main", "false");
  },
};
