import { startDemo, type DemoProcess } from "../helpers/demo-process.ts";
import type { App, AppName } from "./app.ts";
import { openRealApp, openRemoteApp } from "./other-apps.ts";

/** The apps that are not a demo with its own parts alone. */
const others: Partial<Record<AppName, () => Promise<{ app: App } & AsyncDisposable>>> = {
  real: openRealApp,
  remote: openRemoteApp,
};

/** Two demos for all journeys, one at the root, one under a base path with a build of its own; and the other apps. */
export default async function setup() {
  await using opened = new AsyncDisposableStack();
  const open = async (env?: Record<string, string>): Promise<DemoProcess> => {
    const demo = await startDemo(env);
    opened.defer(() => demo.stop());
    return demo;
  };
  const [atRoot, underPath] = await Promise.all([open(), open({ BASE_PATH: "/members/", BUILD_DIR: "build-members" })]);
  process.env.SITE_URL = atRoot.url;
  process.env.SITE_DATA_DIR = atRoot.dataDir;
  process.env.MEMBERS_SITE_URL = underPath.url;
  process.env.MEMBERS_SITE_DATA_DIR = underPath.dataDir;
  const opening = Object.entries(others).map(async ([name, openOther]) => {
    process.env[`${name.toUpperCase()}_APP`] = JSON.stringify(opened.use(await openOther()).app);
  });
  await Promise.all(opening);
  const closing = opened.move();
  return () => closing.disposeAsync();
}
