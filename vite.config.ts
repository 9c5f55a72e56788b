import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

import { basePathOf } from "./server/base-path.ts";

export default defineConfig(({ command }) => ({
  base: basePathOf(process.env.BASE_PATH),
  plugins: [reactRouter()],
  resolve: { tsconfigPaths: true },
  // Pictures and fonts stay files of their own: cached for good, and no `data:` in the content security policy.
  build: {
    assetsInlineLimit: 0,
    target: "es2022",
    reportCompressedSize: false,
    // Addresses of pictures stand on every card, eight times: the hash alone is name enough.
    rolldownOptions: { output: { assetFileNames: "assets/[hash][extname]" } },
  },
  environments: {
    ssr: {
      // `app/handler.ts` adds `createHandler` to what the framework's own server entry exports.
      build: { rolldownOptions: { input: "./app/handler.ts" } },
      // One file starts faster and smaller than a tree of packages. The dev server cannot run CommonJS that way.
      ...(command === "build" && { resolve: { noExternal: true as const } }),
    },
  },
}));
