import { prepareItem, withTexts } from "../../server/content/items/item.ts";
import { sourceItemSchema } from "../../server/content/items/source.ts";

export const setting = { productName: "Dormouse", basePath: "/dashboard/" };

/** As WordPress answers it, with more fields than we read. */
export const article = {
  id: 25,
  date: "2025-05-31T09:00:00",
  date_gmt: "2025-05-31T08:00:00",
  modified: "2025-06-01T09:00:00",
  slug: "a-worry-list",
  status: "publish",
  type: "post",
  link: "http://127.0.0.1/a-worry-list/",
  title: { rendered: "A worry list by the bed" },
  content: { rendered: "\n<h2>Why</h2>\n<p>You need a notebook.</p>\n", protected: false },
  excerpt: { rendered: "<p>You need.</p>\n", protected: false },
  author: 2,
  featured_media: 24,
  sticky: true,
  categories: [3],
  tags: [6, 9],
  acf: [],
  _embedded: {
    author: [{ id: 2, name: "Amelia Hart", slug: "amelia", avatar_urls: { "24": "http://2.gravatar.com/avatar/2b" } }],
    "wp:featuredmedia": [
      {
        id: 24,
        alt_text: "A notebook",
        media_details: { width: 1600, height: 900, sizes: {} },
        source_url: "media/notebook.webp",
      },
    ],
    "wp:term": [
      [{ id: 3, name: "Articles", taxonomy: "category" }],
      [
        { id: 6, name: "Worry &amp; stress", taxonomy: "post_tag" },
        { id: 9, name: "Insomnia", taxonomy: "post_tag" },
      ],
    ],
  },
};

export const savedNever = {
  video_network: null,
  vimeo_url: null,
  youtube_url: null,
  video_url: null,
  orientation: null,
};
export const film = { ...article, type: "videos", sticky: undefined, acf: savedNever };

/** As the catalogue does. */
export const read = (source: object) => withTexts(prepareItem(sourceItemSchema.parse(source), setting).item);
export const readEmbedded = (embedded: object) =>
  read({ ...article, _embedded: { ...article._embedded, ...embedded } });
