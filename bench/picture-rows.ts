import { join } from "node:path";

import { PICTURE_MAX_BYTES } from "../server/members/avatars/limits.ts";
import { demoMembers } from "../server/cli/demo-data.ts";
import { photo } from "../tests/helpers/pictures.ts";
import type { Effort } from "./measure.ts";
import { EVERYDAY_CARDS } from "./pages.ts";
import { amountRow, type Row } from "./report.ts";
import { ask, logIn } from "./requests.ts";
import { readMemory, readPeakMemory, startFlags, startServer, type Server } from "./servers.ts";
import type { Stage } from "./stage.ts";

const MEGABYTE = 1_000_000;
const AT_ONCE = 4;

/** P8: the memory of a process during and after uploads of the largest pictures that members may send. */
export async function pictureRows(
  { folder }: Stage,
  { buildDir, pictures }: Pick<Effort, "pictures"> & { buildDir: string },
) {
  const env = {
    BUILD_DIR: buildDir,
    DATA_DIR: join(folder, "pictures"),
    ITEMS: "100",
    CARDS_PER_PAGE: String(EVERYDAY_CARDS),
  };
  await using server = await startServer([...startFlags, "bench/serve.ts"], { env });
  const file = await makeFile();
  const held: number[] = [];
  // Half from each of two members, because one may send thirty in an hour.
  for (const member of demoMembers.slice(0, 2)) {
    await sendMany(server, { member, file, count: pictures / 2 });
    held.push(await readMemory(server));
  }
  const [halfWay = 0, end = 0] = held;

  const row = (what: string, bytes: number, max: number): Row =>
    amountRow({ id: "P8", what }, { amount: bytes / MEGABYTE, max, unit: "MB" });
  const sent = `${pictures} pictures of 5 MB, ${AT_ONCE} at once`;
  return [
    row(`memory after ${sent}`, end, 400),
    row("memory that the second half of them added", end - halfWay, 50),
    row(`the most memory while there came ${sent}`, await readPeakMemory(server), 450),
  ];
}

type Member = Pick<(typeof demoMembers)[number], "email" | "firstName" | "lastName">;
type Upload = { member: Member; file: Blob; count: number };

/** A photo of exactly the permitted size. */
async function makeFile(): Promise<Blob> {
  const jpeg = await photo(4000, 3000).jpeg({ quality: 40 }).toBuffer();
  return new Blob([jpeg, Buffer.alloc(PICTURE_MAX_BYTES - jpeg.byteLength)], { type: "image/jpeg" });
}

/** The profile's form, unchanged except for the picture. */
async function encodeForm(
  { email, firstName, lastName }: Member,
  file: Blob,
): Promise<{ type: string; bytes: Buffer }> {
  const form = new FormData();
  form.set("intent", "profile");
  for (const [name, value] of Object.entries({ FirstName: firstName, LastName: lastName, Email: email })) {
    form.set(name.charAt(0).toLowerCase() + name.slice(1), value);
    form.set(`shown${name}`, value);
  }
  form.set("picture", file, "photo.jpg");
  const encoded = new Response(form);
  return { type: encoded.headers.get("Content-Type") ?? "", bytes: Buffer.from(await encoded.arrayBuffer()) };
}

/** @throws when one is refused. */
async function sendMany(server: Server, { member, file, count }: Upload): Promise<void> {
  const { type, bytes } = await encodeForm(member, file);
  const headers = { Cookie: await logIn(server, member), Origin: server.origin, "Content-Type": type };
  let left = count;
  const sendOnAndOn = async () => {
    while (left-- > 0) {
      const reply = await ask(`${server.origin}/?account=open`, { method: "POST", headers, body: bytes });
      if (reply.status !== 303) throw new Error(`The profile's form answers ${reply.status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendOnAndOn));
}
