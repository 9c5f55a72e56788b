import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

import { readBasePath } from "./server/base-path.ts";

/**
 * What only pages with forms need, My Account among them. The style sheets go with the app, because without script a form that opens later
 * is in the page too.
 */
const forms = /app[\\/](?:forms[\\/](?!send-or-keep|test-cards)|routes[\\/]login[\\/]paths)[^\\/]*\.tsx?$/;

/** What only sign-up, log-in and the pages beside them need. */
const doors = /app[\\/](?:components[\\/]auth-layout|forms[\\/]test-cards|routes[\\/]signup[\\/]steps)\./;

/**
 * What browsers fetch in one file each: what every page needs, what several do of ours and of what fetches the rest later, and what
 * forms add to that. They compress better whole, by 5 kB. Only the back office shows QR codes and data tables.
 */
const groups = [
  { name: "framework", test: /node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]/, priority: 2 },
  {
    name: "app",
    test: (id: string) =>
      /app[\\/](?:(?:forms|components)[\\/](?!qr-code|data-table)|[^\\/]+$)|account\.module|account-answer|dashboard[\\/](?:opened|view)|content[\\/]kinds|preload-helper|use-hydrated/.test(
        id,
      ) &&
      !forms.test(id) &&
      !doors.test(id),
    minShareCount: 2,
    priority: 1,
  },
  { name: "forms", test: forms, minShareCount: 2, priority: 0 },
  { name: "doors", test: doors, minShareCount: 2, priority: 0 },
];

/**
 * Hundreds of functions in those files run before a page answers. So V8 compiles them whole, beside the page and while they arrive, where
 * it would hold the page up for each one's first call: "Explicit compile hints", Chrome 136. To other browsers it is a comment.
 */
const hint = ({ name }: { name: string }) =>
  groups.some((group) => group.name === name) ? "//# allFunctionsCalledOnLoad" : "";

/**
 * The class `tile` of `landing.module.css` is `landing-tile`: a hash in each, as by default, does not compress. No two sheets have the
 * same name. Names of animations are changed in the same way, but for the one of `base.css` that all sheets share.
 */
const nameOfClass = (local: string, file: string) =>
  local === "fade-in" ? local : `${/([\w-]+)\.module\.css/.exec(file)?.[1] ?? ""}-${local}`;

export default defineConfig(({ command }) => ({
  base: readBasePath(process.env.BASE_PATH),
  plugins: [reactRouter()],
  resolve: { tsconfigPaths: true },
  // All that a page may load: packages found later are bundled anew, and the open page then gets 504 for the old ones.
  optimizeDeps: { entries: ["app/entry.client.tsx", "app/root.tsx", "app/routes/**/*.tsx"] },
  css: { modules: { generateScopedName: nameOfClass } },
  // Pictures and fonts stay files of their own: cached for good, and no `data:` in the content security policy.
  build: {
    assetsInlineLimit: 0,
    target: "es2022",
    reportCompressedSize: false,
    // A card has the URLs of pictures eight times: the hash alone keeps them short.
    rolldownOptions: { output: { assetFileNames: "assets/[hash:5][extname]" } },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: { groups },
            postBanner: hint,
            // Scripts name one another, and a hash does not compress.
            entryFileNames: "assets/[name]-[hash:7].js",
            chunkFileNames: "assets/[name]-[hash:7].js",
          },
        },
      },
    },
    ssr: {
      // `app/handler.ts` adds `createHandler` to what the framework's own server entry exports.
      build: { rolldownOptions: { input: "./app/handler.ts" } },
      // One file starts faster and smaller than a tree of packages. The dev server cannot run CommonJS that way.
      // React for development, which checks as it goes, would stay in it and run wherever the environment does not say NODE_ENV.
      ...(command === "build" && {
        resolve: { noExternal: true as const },
        define: { "process.env.NODE_ENV": JSON.stringify("production") },
      }),
    },
  },
}));
