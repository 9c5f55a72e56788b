import { startDemo, type DemoProcess } from "../helpers/demo-process.ts";
import type { House, HouseName } from "./house.ts";
import { openRealHouse } from "./real-house.ts";
import { openRemoteHouse } from "./remote-house.ts";

/** The houses that are not a demo with its own parts alone. */
const others: Partial<Record<HouseName, () => Promise<{ house: House } & AsyncDisposable>>> = {
  real: openRealHouse,
  remote: openRemoteHouse,
};

/** Two demos for all journeys, one at the root, one under a base path with a build of its own; and the other houses. */
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
    process.env[`${name.toUpperCase()}_HOUSE`] = JSON.stringify(opened.use(await openOther()).house);
  });
  await Promise.all(opening);
  const closing = opened.move();
  return () => closing.disposeAsync();
}
