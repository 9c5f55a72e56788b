import { startWordpressFake } from "../tests/fakes/wordpress.ts";
import { makeVideos } from "../tests/fakes/wordpress-items.ts";

/** A CMS in a process of its own, with `ITEMS` items of 600 words: prints its address, and changes one item at each SIGUSR2. */
const WORDS = 600;

const videos = makeVideos(Number(process.env.ITEMS));
for (const [index, video] of videos.entries()) {
  video.content = { rendered: `<p>${"A quiet night by the lamp ".repeat(WORDS / 6)}${index}.</p>`, protected: false };
}
const cms = await startWordpressFake({ content: { lists: { videos, posts: [], tutorials: [] }, uploads: new Map() } });
let changes = 0;
process.on("SIGUSR2", () => {
  changes += 1;
  cms.save("videos", { id: 1000, title: { rendered: `Changed ${changes} times` } });
});
console.log(cms.url);
