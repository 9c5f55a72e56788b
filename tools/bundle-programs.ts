import { dirname, join, relative } from "node:path";
import { build, type Plugin } from "vite";

/**
 * Bundles programs, each into one file of its name and what it loads later, into one folder. Node then reads a few
 * files in place of a thousand, and strips no types: a start takes a third less. Nothing else about the process changes.
 */
export async function bundlePrograms(programs: Record<string, string>, folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    plugins: [keepPlaces(folder)],
    ssr: { noExternal: true },
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
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
}

/** A module still finds what is beside its source, wherever the project lies. */
function keepPlaces(folder: string): Plugin {
  return {
    name: "keep-places",
    transform(code, id) {
      if (id.startsWith("\0") || !code.includes("import.meta.")) return undefined;
      const place = JSON.stringify(`/${relative(folder, dirname(id))}`);
      const file = JSON.stringify(relative(folder, id));
      return code
        .replaceAll("import.meta.dirname", `(import.meta.dirname + ${place})`)
        .replaceAll("import.meta.url", `new URL(${file}, import.meta.url).href`)
        .replaceAll("import.meta.main", "false");
    },
  };
}

if (import.meta.main)
  await bundlePrograms({ main: "server/main.ts" }, join(process.env.BUILD_DIR || "build", "server"));
