import { openRemoteHouse } from "/work/main/tests/e2e/remote-house.ts";
export default async function setup() {
  const opened = await openRemoteHouse();
  process.env.REMOTE_HOUSE = JSON.stringify(opened.house);
  return () => opened[Symbol.asyncDispose]();
}
