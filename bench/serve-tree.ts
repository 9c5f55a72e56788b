import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import type * as Demo from "../server/cli/demo-data.ts";
import type * as Configs from "../server/config.ts";
import type * as Main from "../server/main.ts";

/**
 * Starts the product in the working directory, perhaps a release's, with the demo's members. Sends its parent an
 * operator's invitation to the desk.
 */
const load = (path: string): Promise<unknown> => import(pathToFileURL(resolve(path)).href);
const { start } = (await load("server/main.ts")) as typeof Main;
const { readConfig } = (await load("server/config.ts")) as typeof Configs;
const { fillDemo } = (await load("server/cli/demo-data.ts")) as typeof Demo;

const { services } = await start(readConfig(process.env), fillDemo);
const added = await services.operators.add({ email: "olive@dormouse.example", name: "Olive Thorn", role: "owner" });
process.once("message", () => process.send?.(added?.invitation));
// Exits regularly, so that Node writes a profile if one was requested.
process.once("SIGTERM", () => process.exit(0));
