import { startDemo } from "../helpers/demo-process.ts";

/** Two demos for all journeys: one at the root, one under a base path with a build of its own. */
export default async function setup() {
  const atRoot = await startDemo();
  const underPath = await startDemo({ BASE_PATH: "/members/", BUILD_DIR: "build-members" });
  process.env.SITE_URL = atRoot.url;
  process.env.SITE_DATA_DIR = atRoot.dataDir;
  process.env.MEMBERS_SITE_URL = underPath.url;
  process.env.MEMBERS_SITE_DATA_DIR = underPath.dataDir;
  return () => Promise.all([atRoot.stop(), underPath.stop()]);
}
