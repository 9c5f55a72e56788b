import { startWordpressFake } from "../tests/fakes/wordpress.ts";
import { type FakeItem, makeVideos, ORIGIN } from "../tests/fakes/wordpress-items.ts";
import { listSyntheticItems } from "./synthetic-content.ts";

/** A CMS as a process, with `ITEMS` made-up items: prints its address, and changes the first item at each SIGUSR2. */
const [sample] = makeVideos(1);
const items = listSyntheticItems(Number(process.env.ITEMS)).map((item): FakeItem => {
  const own = { date_gmt: item.date, link: `${ORIGIN}/${item.type}/${item.id}/` };
  const text = JSON.stringify(Object.assign({}, sample, item, own));
  return JSON.parse(text.replace("media/", `${ORIGIN}/wp-content/uploads/`)) as FakeItem;
});
const { videos = [], post: posts = [], tutorials = [] } = Object.groupBy(items, ({ type }) => String(type));
const cms = await startWordpressFake({ content: { lists: { videos, posts, tutorials }, uploads: new Map() } });
let changes = 0;
process.on("SIGUSR2", () => {
  changes += 1;
  cms.save("videos", { id: 1, title: { rendered: `Changed ${changes} times` } });
});
console.log(cms.url);
