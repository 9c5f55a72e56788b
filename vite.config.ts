import { basename } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

import { readBasePath } from "./server/platform/base-path.ts";
import { inlineScripts } from "./tools/bundle-script.ts";

/** What several pages share, one file each: a list fetches 7 scripts and 3 style sheets, without groups 27 and 11 and 7 kB more. */
const groups = [
  { name: "framework", test: /node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]/ },
  // What pages import at once, with the forms' style sheets and sending: without script My Account opens in every page.
  {
    name: "app",
    tags: ["$initial" as const],
    test: /app[\\/](?:components|frame|routes[\\/]member|player[\\/].+\.tsx?$|forms[\\/](?:send-or-keep\.ts|.+\.css)$)|preload-helper/,
    minShareCount: 2,
  },
  // What a page fetches once it has something to play.
  { name: "player", test: /app[\\/]player[\\/].+\.tsx?$/, minShareCount: 2 },
  // Passkeys are for log-in and My Account alone.
  { name: "forms", test: /app[\\/]forms(?![\\/]passkeys\.)|@conform-to/, minShareCount: 2 },
];

/** `tile` of `landing.module.css` is `landing-tile`: hashes would add 0.7 kB to a first visit. No two sheets may have the same name. */
const nameClass = (local: string, file: string) => `${basename(file, ".module.css")}-${local}`;

const output = {
  codeSplitting: { groups },
  // V8 compiles such a file whole while it arrives ("explicit compile hints"): a quarter to two fifths less of the main thread for a page's script.
  postBanner: "//# allFunctionsCalledOnLoad",
};

export default defineConfig(({ command }) => ({
  base: readBasePath(process.env.BASE_PATH),
  plugins: [inlineScripts, reactRouter()],
  resolve: { tsconfigPaths: true },
  // Everything that a page may load: Vite bundles packages again that it finds later, and the open page then gets 504 for the old ones.
  optimizeDeps: { entries: ["app/entry.client.tsx", "app/root.tsx", "app/routes/**/*.tsx"] },
  css: { modules: { generateScopedName: nameClass } },
  build: {
    // Browsers since 2022. Vite's later target would drop the older forms of media queries and heights.
    target: "es2022",
    // Pictures and fonts stay files: cached for good, and no `data:` in the content security policy.
    assetsInlineLimit: 0,
  },
  environments: {
    client: { build: { rolldownOptions: { output } } },
    ssr: {
      // `app/frame/handler.ts` adds `createHandler` to the framework's own server entry.
      build: { rolldownOptions: { input: "./app/frame/handler.ts" } },
      // One file with all packages, and with React for production whatever NODE_ENV says. The dev server cannot load CommonJS so.
      ...(command === "build" && {
        resolve: { noExternal: true as const },
        define: { "process.env.NODE_ENV": JSON.stringify("production") },
      }),
    },
  },
}));
