import { existsSync } from "node:fs";

import { installFromDebian } from "../helpers/debian.ts";

type Wanted = { name: string; paths: string[]; packages: string[] };

const wanted = {
  firefox: { name: "Firefox", paths: ["/usr/bin/firefox-esr", "/usr/bin/firefox"], packages: ["firefox-esr"] },
  webKit: { name: "WebKit", paths: ["/usr/bin/WebKitWebDriver"], packages: ["webkit2gtk-driver", "xvfb"] },
  lynx: { name: "Lynx", paths: ["/usr/bin/lynx"], packages: ["lynx"] },
} satisfies Record<string, Wanted>;

type EngineName = keyof typeof wanted;

/** `undefined` if this machine has none. */
export function findEngine(name: EngineName): string | undefined {
  if (name === "webKit" && !existsSync("/usr/bin/Xvfb")) return undefined;
  // util-linux gives it a terminal.
  if (name === "lynx" && !existsSync("/usr/bin/script")) return undefined;
  return wanted[name].paths.find((path) => existsSync(path));
}

export function hasEngine(): boolean {
  return (Object.keys(wanted) as EngineName[]).some((name) => findEngine(name) !== undefined);
}

/** Installs missing browsers from Debian's packages where possible; returns those that are still missing. */
export function installEngines(): string[] {
  const names = Object.keys(wanted) as EngineName[];
  const missing = names.filter((name) => findEngine(name) === undefined);
  installFromDebian(missing.map((name) => wanted[name].packages));
  return names.filter((name) => findEngine(name) === undefined).map((name) => wanted[name].name);
}
