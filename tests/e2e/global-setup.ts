import { startDemo, type DemoProcess } from "../helpers/demo-process.ts";
import type { App, AppName } from "./app.ts";
import { openRealApp, openRemoteApp } from "./other-apps.ts";

/** The apps with parts of others. */
const others: Partial<Record<AppName, () => Promise<{ app: App } & AsyncDisposable>>> = {
  real: openRealApp,
  remote: openRemoteApp,
};

/**
 * Opens two demos, at the root and under a base path (with its own build), and the other apps. The core needs only the
 * first.
 */
export default async function setup() {
  await using opened = new AsyncDisposableStack();
  const open = async (env?: Record<string, string>): Promise<DemoProcess> => {
    const demo = await startDemo(env);
    opened.defer(() => demo.stop());
    return demo;
  };
  const openAtRoot = async () => {
    const { url, dataDir } = await open();
    process.env.SITE_URL = url;
    process.env.SITE_DATA_DIR = dataDir;
  };
  const openUnderPath = async () => {
    const { url, dataDir } = await open({ BASE_PATH: "/members/", BUILD_DIR: "build-members" });
    process.env.MEMBERS_SITE_URL = url;
    process.env.MEMBERS_SITE_DATA_DIR = dataDir;
  };
  const isCore = process.env.TEST_SET === "core";
  await Promise.all(isCore ? [openAtRoot()] : [openAtRoot(), openUnderPath()]);
  const opening = Object.entries(isCore ? {} : others).map(async ([name, openOther]) => {
    process.env[`${name.toUpperCase()}_APP`] = JSON.stringify(opened.use(await openOther()).app);
  });
  await Promise.all(opening);
  const closing = opened.move();
  return () => closing.disposeAsync();
}
