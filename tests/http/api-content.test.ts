import { expect, test } from "vitest";

import { sourceItemSchema } from "../../server/content/items/source.ts";
import { API_KEY, openApi, type Parsed } from "../helpers/api-client.ts";

const ada = "member@dormouse.example";

test.each([
  ["getwatches", "videos", 26],
  ["getreads", "post", 52],
  ["getlearns", "tutorials", 10],
] as const)(
  "%s answers every item as WordPress writes them, and a source could read them again",
  async (name, type, count) => {
    await using client = await openApi({}, {});
    const token = await client.grabToken(ada);
    const { json, headers } = await client.call(name, {}, { token });
    expect(json).toHaveLength(count);
    expect(headers.get("X-Total")).toBe(String(count));
    for (const item of json as unknown[]) {
      const read = sourceItemSchema.parse(item);
      expect(read.type).toBe(type);
      expect(read.date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      expect(read._embedded?.["wp:term"]?.[1]?.length).toBeGreaterThan(0);
      expect(JSON.stringify(item)).not.toMatch(/(?:src|href)=\\"\/media/);
    }
  },
);

test("an article comes whole: body, author, topics, and a picture that key and token open", async () => {
  await using client = await openApi({}, {});
  const token = await client.grabToken(ada);
  const { json } = await client.call("getreads", {}, { token });
  const item = (json as Parsed[]).find(({ id }) => id === 1001);
  expect(item).toMatchObject({ type: "post", sticky: true, date: "2026-11-12T07:00:00" });
  expect(item.title.rendered).toContain("Can't get to sleep?");
  expect(item._embedded.author).toEqual([{ name: "Dormouse Team" }]);
  expect(item.acf.sample_note).toMatch(/^Sample text/);
  expect(item._embedded["wp:term"][1]).toContainEqual({ name: "Insomnia" });
  const [{ source_url: address }] = item._embedded["wp:featuredmedia"];
  expect(address).toBe("http://dormouse.test/api/media/files/the-first-hour-awake.webp");
  const headers = { "X-Api-Key": API_KEY, Authorization: token };
  const picture = await client.request(address, { headers });
  expect([picture.status, picture.headers.get("Content-Type")]).toEqual([200, "image/webp"]);
  expect((await client.request(address, { headers: { Authorization: token } })).status).toBe(401);
  expect((await client.request(address, { headers: { "X-Api-Key": API_KEY } })).status).toBe(401);
  const lapsed = await client.grabToken("lapsed@dormouse.example");
  expect((await client.request(address, { headers: { ...headers, Authorization: lapsed } })).status).toBe(403);
  for (const name of ["nothing.webp", "..%2f..%2fpackage.json", ""]) {
    expect((await client.request(`/api/media/files/${name}`, { headers })).status, name).toBe(404);
  }
});

test("a film comes by parts", async () => {
  await using client = await openApi({}, {});
  const token = await client.grabToken(ada);
  const { json } = await client.call("getwatches", {}, { token });
  const address = (json as Parsed[]).find(({ id }) => id === 2001).acf.video_url as string;
  const headers = { "X-Api-Key": API_KEY, Authorization: token, Range: "bytes=0-9" };
  const part = await client.request(address, { headers });
  expect([part.status, part.headers.get("Content-Range")]).toEqual([206, expect.stringMatching(/^bytes 0-9\/\d+$/)]);
  const { captions_url: captions, webm_url: webm } = (json as Parsed[]).find(({ id }) => id === 2001).acf;
  expect(webm).toBe("http://dormouse.test/api/media/files/breathe-with-the-moon.webm");
  const spoken = await client.request(captions as string, { headers: { "X-Api-Key": API_KEY, Authorization: token } });
  expect([spoken.status, spoken.headers.get("Content-Type")]).toEqual([200, "text/vtt; charset=utf-8"]);
  expect((await client.request(address, { headers: { ...headers, Range: "bytes=999999999-" } })).status).toBe(416);
});

test("a recording comes with how long it plays", async () => {
  await using client = await openApi({}, {});
  const token = await client.grabToken(ada);
  const { json } = await client.call("getwatches", {}, { token });
  const { acf } = (json as Parsed[]).find(({ id }) => id === 4002);
  const files = "http://dormouse.test/api/media/files/";
  expect(acf).toMatchObject({
    audio_url: `${files}a-slow-sea.mp3`,
    m4a_url: "",
    play_minutes: 45,
    video_url: "",
  });
  const file = await client.request(acf.audio_url as string, {
    headers: { "X-Api-Key": API_KEY, Authorization: token },
  });
  expect([file.status, file.headers.get("Content-Type")]).toEqual([200, "audio/mpeg"]);
});

test("an unchanged list is answered 304, and pages can be read one by one", async () => {
  await using client = await openApi({}, {});
  const token = await client.grabToken(ada);
  const first = await client.call("getlearns", {}, { token });
  const tag = first.headers.get("ETag") ?? "";
  expect(tag).toMatch(/^W\/"[\w-]+"$/);
  for (const known of [tag, `"other", ${tag}`, tag.slice(2)]) {
    const again = await client.call("getlearns", {}, { token, headers: { "If-None-Match": known } });
    expect([again.status, again.text]).toEqual([304, ""]);
  }
  expect((await client.call("getwatches", {}, { token, headers: { "If-None-Match": tag } })).status).toBe(200);
  const page = await client.call("getlearns", { page: "3", per_page: "4" }, { token });
  expect((page.json as unknown[]).length).toBe(2);
  expect([page.headers.get("X-Total"), page.headers.get("X-TotalPages")]).toEqual(["10", "3"]);
  expect((await client.call("getlearns", { page: "9", per_page: "4" }, { token })).json).toEqual([]);
  expect((await client.call("getlearns", { per_page: "many" }, { token })).status).toBe(400);
});

test("favourites are toggled or set, and listed by kind and number", async () => {
  await using client = await openApi({}, {});
  const token = await client.grabToken(ada);
  const id = await client.findId(ada);
  const post = (mediaId: number | string, rest: object = {}) =>
    client.call("postfave", { id, mediaId, mediaType: "videos", ...rest }, { token });
  expect((await post(2001)).json).toEqual({ mediaId: 2001, mediaType: "videos", isFavourite: true });
  expect((await post("2001")).json.isFavourite).toBe(false);
  for (const wanted of ["save", "save"]) expect((await post(2001, { wanted })).json.isFavourite).toBe(true);
  await post(1001, { mediaType: "post" });
  await client.site.services.favourites.save(id, { kind: "learn", id: 77 });
  const { json } = await client.call("getallfaves", { id: String(id) }, { token });
  expect(Object.keys(json.videos as object)).toEqual(["2001"]);
  expect(json.videos["2001"]).toMatchObject({ id: 2001, type: "videos", saved_at: expect.stringMatching(/Z$/) });
  expect(Object.keys(json.post as object)).toEqual(["1001"]);
  expect([json.tutorials, json.withdrawn]).toEqual([{}, { videos: [], post: [], tutorials: [77] }]);
  expect((await post(77, { mediaType: "tutorials" })).json.isFavourite).toBe(false);
  expect((await post(77, { mediaType: "tutorials" })).status).toBe(404);
  for (const bad of [{ mediaType: "attic" }, { mediaId: -1 }, { mediaId: 2 ** 40 }, { wanted: "maybe" }]) {
    expect((await post(2001, bad)).status).toBe(400);
  }
  const lapsed = await client.grabToken("lapsed@dormouse.example");
  const lena = await client.findId("lapsed@dormouse.example");
  expect((await client.call("getallfaves", { id: lena }, { token: lapsed })).status).toBe(403);
});
