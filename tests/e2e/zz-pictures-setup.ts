import { startDemo } from "../helpers/demo-process.ts";
export default async function setup() {
  const atRoot = await startDemo({ BUILD_DIR: "build-pictures" });
  process.env.SITE_URL = atRoot.url; process.env.SITE_DATA_DIR = atRoot.dataDir;
  return () => atRoot.stop();
}
