import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/*
 * Starts the server from its build: Node reads a few files in place of a thousand (`tools/bundle-programs.ts`). Plain
 * JavaScript, so that Node loads no support for types. Without a build the sources name what is missing.
 */

const built = resolve(process.env.BUILD_DIR || "build", "server", "main.mjs");
const main = existsSync(built) ? pathToFileURL(built).href : "./main.ts";
const { run } = /** @type {typeof import("./main.ts")} */ (await import(main));
await run();
