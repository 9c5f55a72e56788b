import { ORIGIN } from "./wordpress-items.ts";

/** In the words of the table in docs/parts.md. */
export type Outcome =
  | "kept"
  | "kept as text"
  | "a player"
  | "a fold that loads the film when it is opened"
  | "a link"
  | "left out"
  | "left out and reported";

/** A block of `content.rendered`, and what members get of it. File names of ours are written `media/….mp3`. */
export type BlockSample = { block: string; becomes: Outcome; body: string; shown: string; lost?: string[] };

const uploads = `${ORIGIN}/wp-content/uploads/2026/11`;
const rel = 'rel="noopener noreferrer"';
const widths =
  'srcset="/media/….webp?w=400 400w, /media/….webp?w=640 640w, /media/….webp?w=800 800w, /media/….webp?w=1600 1600w" sizes="(min-width: 800px) 760px, 94vw"';
const picture = (attributes: string) =>
  `<img ${attributes} src="/media/….webp" ${widths} loading="lazy" decoding="async" />`;
const fold = (host: string, src: string, title: string) =>
  `<details class="embed"><summary>Play the video from ${host}</summary><iframe src="${src}" title="${title}" loading="lazy"` +
  ' allow="fullscreen; picture-in-picture" allowfullscreen referrerpolicy="strict-origin-when-cross-origin"></iframe></details>';

/** In the order of the table. */
export const blockSamples: BlockSample[] = [
  {
    block: "Paragraph",
    becomes: "kept",
    body: `<p class="has-drop-cap has-large-font-size" style="line-height:1.4">Sleep comes when you <strong>stop</strong> <em>looking</em> for it. Read <a href="/a-worry-list/#why">why</a>.</p>`,
    shown: `<p>Sleep comes when you <strong>stop</strong> <em>looking</em> for it. Read <a href="/?view=read&amp;item=25#text-why">why</a>.</p>`,
  },
  {
    block: "Heading",
    becomes: "kept",
    body: '<h1 class="wp-block-heading">One</h1><h2 class="wp-block-heading has-text-align-center" id="h-why">Why</h2>',
    shown: '<h2>One</h2><h2 id="text-h-why">Why</h2>',
  },
  {
    block: "List",
    becomes: "kept",
    body: '<ul class="wp-block-list"><li>Dim the lights<ul class="wp-block-list"><li>all of them</li></ul></li></ul><ol start="3" class="wp-block-list"><li>Breathe out</li></ol>',
    shown: '<ul><li>Dim the lights<ul><li>all of them</li></ul></li></ul><ol start="3"><li>Breathe out</li></ol>',
  },
  {
    block: "Quote",
    becomes: "kept",
    body: '<blockquote class="wp-block-quote is-layout-flow"><p>Rest is not idleness.</p><cite>John Lubbock</cite></blockquote>',
    shown: "<blockquote><p>Rest is not idleness.</p><cite>John Lubbock</cite></blockquote>",
  },
  {
    block: "Pullquote",
    becomes: "kept",
    body: '<figure class="wp-block-pullquote has-border-color" style="border-color:#456"><blockquote><p>You are allowed to be awake.</p><cite>Amelia Hart</cite></blockquote></figure>',
    shown: "<figure><blockquote><p>You are allowed to be awake.</p><cite>Amelia Hart</cite></blockquote></figure>",
  },
  {
    block: "Table",
    becomes: "kept",
    body: '<figure class="wp-block-table is-style-stripes"><table class="has-fixed-layout"><thead><tr><th class="has-text-align-left" data-align="left">Cup</th></tr></thead><tbody><tr><td>Tea</td></tr></tbody></table><figcaption class="wp-element-caption">Caffeine</figcaption></figure>',
    shown:
      '<figure><div class="table-scroll" tabindex="0"><table><thead><tr><th>Cup</th></tr></thead><tbody><tr><td>Tea</td></tr></tbody></table></div><figcaption>Caffeine</figcaption></figure>',
  },
  {
    block: "Math",
    becomes: "kept as text",
    body: '<div class="wp-block-math"><math display="block"><semantics><mrow><mi>t</mi><mo>=</mo><mfrac><mn>90</mn><mn>2</mn></mfrac></mrow><annotation encoding="application/x-tex">t=\\frac{90}{2}</annotation></semantics></math></div>',
    shown: "<div>t=902</div>",
    lost: ["formula"],
  },
  {
    block: "Code",
    becomes: "kept",
    body: '<pre class="wp-block-code"><code>if (tired) sleep();</code></pre>',
    shown: "<pre><code>if (tired) sleep();</code></pre>",
  },
  {
    block: "Preformatted",
    becomes: "kept",
    body: '<pre class="wp-block-preformatted">22:30  lights out\n 6:30  up</pre>',
    shown: "<pre>22:30  lights out\n 6:30  up</pre>",
  },
  {
    block: "Verse",
    becomes: "kept",
    body: '<pre class="wp-block-verse">The moon, <em>half asleep</em>,\nlooks in.</pre>',
    shown: "<pre>The moon, <em>half asleep</em>,\nlooks in.</pre>",
  },
  {
    block: "Details",
    becomes: "kept",
    body: '<details class="wp-block-details is-layout-flow" open><summary>How long does it take?</summary>\n<p>Six weeks.</p>\n</details>',
    shown: "<details open><summary>How long does it take?</summary>\n<p>Six weeks.</p>\n</details>",
  },
  {
    block: "Accordion",
    becomes: "kept as text",
    body: '<div role="group" class="wp-block-accordion"><div class="wp-block-accordion-item"><h3 class="wp-block-accordion-heading"><button class="wp-block-accordion-heading__toggle"><span class="wp-block-accordion-heading__toggle-title">May I nap?</span><span class="wp-block-accordion-heading__toggle-icon" aria-hidden="true">+</span></button></h3><div role="region" class="wp-block-accordion-panel"><p>Before three.</p></div></div></div>',
    shown: "<div><div><h3>May I nap?</h3><div><p>Before three.</p></div></div></div>",
  },
  {
    block: "Table of contents, of a plug-in",
    becomes: "kept",
    body: '<div id="ez-toc-container" class="ez-toc-v2_0"><p class="ez-toc-title">Contents</p><nav><ul class="ez-toc-list"><li><a class="ez-toc-link" href="#What_is_sleep">What is sleep?</a></li><li><a href="#m%C3%BCde-augen">Müde Augen</a></li><li><a href="#gone">Gone</a></li></ul></nav></div><h2><span class="ez-toc-section" id="What_is_sleep"></span>What is sleep?<span class="ez-toc-section-end"></span></h2><h2 id="müde-augen">Müde Augen</h2>',
    shown:
      '<div id="text-ez-toc-container"><p>Contents</p><ul><li><a href="#text-What_is_sleep">What is sleep?</a></li><li><a href="#text-m.C3.BCde-augen">Müde Augen</a></li><li><a>Gone</a></li></ul></div><h2><span id="text-What_is_sleep"></span>What is sleep?</h2><h2 id="text-m.C3.BCde-augen">Müde Augen</h2>',
    lost: ["link"],
  },
  {
    block: "Footnotes",
    becomes: "kept",
    body: '<p>Light resets the clock.<sup data-fn="e1a" class="fn"><a href="#e1a" id="e1a-link">1</a></sup></p><ol class="wp-block-footnotes"><li id="e1a">Czeisler 1986. <a href="#e1a-link" aria-label="Jump to footnote reference 1">↩︎</a></li></ol>',
    shown:
      '<p>Light resets the clock.<sup><a href="#text-e1a" id="text-e1a-link">1</a></sup></p><ol><li id="text-e1a">Czeisler 1986. <a aria-label="Jump to footnote reference 1" href="#text-e1a-link">↩︎</a></li></ol>',
  },
  {
    block: "Separator",
    becomes: "kept",
    body: '<p>Before</p><hr class="wp-block-separator has-alpha-channel-opacity is-style-wide"/><p>After</p>',
    shown: "<p>Before</p><hr /><p>After</p>",
  },
  {
    block: "Spacer",
    becomes: "left out",
    body: '<p>Before</p><div style="height:60px" aria-hidden="true" class="wp-block-spacer"></div><p>After</p>',
    shown: "<p>Before</p><p>After</p>",
  },
  {
    block: "Columns",
    becomes: "kept",
    body: '<div class="wp-block-columns is-layout-flex"><div class="wp-block-column" style="flex-basis:66.66%"><p>Left</p></div><div class="wp-block-column"><p>Right</p></div></div>',
    shown: "<div><div><p>Left</p></div><div><p>Right</p></div></div>",
  },
  {
    block: "Group",
    becomes: "kept",
    body: '<section class="wp-block-group has-background is-layout-constrained" style="background-color:#eef"><h3 class="wp-block-heading">In short</h3><p>Get up at one time.</p></section>',
    shown: "<div><h3>In short</h3><p>Get up at one time.</p></div>",
  },
  {
    block: "Image",
    becomes: "kept",
    body: `<figure class="wp-block-image size-large"><a href="${uploads}/moon.jpg"><img fetchpriority="high" width="1024" height="683" src="${uploads}/moon-1024x683.jpg" alt="A moon" class="wp-image-12" srcset="${uploads}/moon-1024x683.jpg 1024w, ${uploads}/moon.jpg 1600w" sizes="(max-width: 1024px) 100vw, 1024px" /></a><figcaption class="wp-element-caption">The moon</figcaption></figure>`,
    shown: `<figure><a href="${uploads}/moon.jpg" ${rel}>${picture('alt="A moon" width="1024" height="683"')}</a><figcaption>The moon</figcaption></figure>`,
  },
  {
    block: "Image of another host",
    becomes: "left out and reported",
    body: '<figure class="wp-block-image size-full"><a href="https://cdn.example/moon.jpg"><img src="https://cdn.example/moon.jpg" alt="A moon"/></a></figure><p>After</p>',
    shown: "<p>After</p>",
    lost: ["picture"],
  },
  {
    block: "Gallery",
    becomes: "kept",
    body: `<figure class="wp-block-gallery has-nested-images columns-default is-cropped"><figure class="wp-block-image size-large"><img data-id="12" src="${uploads}/a.jpg" alt="" class="wp-image-12"/></figure><figure class="wp-block-image size-large"><img data-id="13" src="/wp-content/uploads/2026/11/b.webp" alt="" class="wp-image-13"/></figure><figcaption class="blocks-gallery-caption wp-element-caption">Two nights</figcaption></figure>`,
    shown: `<figure><figure>${picture('alt=""')}</figure><figure>${picture('alt=""')}</figure><figcaption>Two nights</figcaption></figure>`,
  },
  {
    block: "Images that a plug-in loads late",
    becomes: "kept",
    body: `<figure class="wp-block-image"><img src="data:image/svg+xml,%3Csvg%3E" data-lazy-src="${uploads}/a-300x200.jpg" data-lazy-srcset="${uploads}/a-300x200.jpg 300w, ${uploads}/a.jpg 900w" alt="A moon"><noscript><img src="${uploads}/a-300x200.jpg" srcset="${uploads}/a-300x200.jpg 300w, ${uploads}/a.jpg 900w" alt="A moon"></noscript></figure>`,
    shown: `<figure>${picture('alt="A moon"')}</figure>`,
  },
  {
    block: "Gallery of another host",
    becomes: "left out and reported",
    body: '<figure class="wp-block-gallery has-nested-images columns-2"><figure class="wp-block-image"><img src="https://cdn.example/a.jpg" alt=""/></figure><figure class="wp-block-image"><img src="https://cdn.example/b.jpg" alt=""/></figure></figure><p>After</p>',
    shown: "<p>After</p>",
    lost: ["picture"],
  },
  {
    block: "Cover",
    becomes: "kept",
    body: `<div class="wp-block-cover" style="min-height:430px"><img class="wp-block-cover__image-background wp-image-9" alt="" src="${uploads}/night.jpg" data-object-fit="cover"/><span aria-hidden="true" class="wp-block-cover__background has-background-dim"></span><div class="wp-block-cover__inner-container"><p class="has-large-font-size">Good night</p></div></div>`,
    shown: `<div>${picture('alt=""')}<div><p>Good night</p></div></div>`,
  },
  {
    block: "Cover with a fixed background",
    becomes: "kept as text",
    body: `<div class="wp-block-cover has-parallax"><div role="img" aria-label="Night" class="wp-block-cover__image-background has-parallax" style="background-position:50% 50%;background-image:url(${uploads}/night.jpg)"></div><div class="wp-block-cover__inner-container"><p>Good night</p></div></div>`,
    shown: "<div><div><p>Good night</p></div></div>",
    lost: ["picture"],
  },
  {
    block: "Media & Text",
    becomes: "kept",
    body: `<div class="wp-block-media-text is-stacked-on-mobile"><figure class="wp-block-media-text__media"><img src="${uploads}/bed.png" alt="A bed" class="wp-image-7 size-full"/></figure><div class="wp-block-media-text__content"><p>Keep it cool.</p></div></div>`,
    shown: `<div><figure>${picture('alt="A bed"')}</figure><div><p>Keep it cool.</p></div></div>`,
  },
  {
    block: "Audio",
    becomes: "a player",
    body: `<figure class="wp-block-audio"><audio controls src="${uploads}/body-scan.mp3" autoplay loop preload="auto"></audio><figcaption class="wp-element-caption">Body scan, <em>ten minutes</em></figcaption></figure>`,
    shown:
      '<figure><audio controls preload="none" src="/media/….mp3" aria-label="Body scan, ten minutes"></audio><figcaption>Body scan, <em>ten minutes</em></figcaption></figure>',
  },
  {
    block: "Audio of another host",
    becomes: "a link",
    body: '<figure class="wp-block-audio"><audio controls src="https://cdn.example/episodes/3.mp3?a=1&amp;b=2"></audio><figcaption class="wp-element-caption">Episode “3”</figcaption></figure>',
    shown: `<figure><a class="media-link" href="https://cdn.example/episodes/3.mp3?a=1&amp;b=2" ${rel}>Listen at cdn.example: Episode “3”</a><figcaption>Episode “3”</figcaption></figure>`,
    lost: ["audio"],
  },
  {
    block: "Audio without a file",
    becomes: "left out and reported",
    body: '<figure class="wp-block-audio"><audio controls src=""></audio></figure><p>After</p>',
    shown: "<p>After</p>",
    lost: ["audio"],
  },
  {
    block: "Video",
    becomes: "a player",
    body: `<figure class="wp-block-video"><video height="720" style="aspect-ratio: 1280 / 720;" width="1280" autoplay controls loop muted poster="${uploads}/still.jpg" preload="auto" src="${uploads}/evening.mp4" playsinline><track src="${uploads}/evening.vtt" label="English" srclang="en" kind="captions"></video></figure>`,
    shown:
      '<figure><video controls preload="none" playsinline src="/media/….mp4" poster="/media/….webp" width="1280" height="720"><track label="English" srclang="en" kind="captions" src="/media/….vtt" /></video></figure>',
  },
  {
    block: "Video of another host",
    becomes: "a link",
    body: '<figure class="wp-block-video"><video controls src="https://cdn.example/evening.mp4"></video></figure>',
    shown: `<figure><a class="media-link" href="https://cdn.example/evening.mp4" ${rel}>Watch the video at cdn.example</a></figure>`,
    lost: ["video"],
  },
  {
    block: "[audio] and [video] of old articles",
    becomes: "a player",
    body: `<!--[if lt IE 9]><script>document.createElement('video');</script><![endif]--><div style="width: 640px;" class="wp-video"><video class="wp-video-shortcode" id="video-5-1" width="640" height="360" preload="metadata" controls="controls"><source type="video/mp4" src="${uploads}/old.mp4?_=1" /><source type="video/webm" src="${uploads}/old.webm?_=1" /><a href="${uploads}/old.mp4">${uploads}/old.mp4</a></video></div>`,
    shown:
      '<div><video controls preload="none" playsinline id="text-video-5-1" width="640" height="360"><source src="/media/….mp4" /><source src="/media/….webm" /></video></div>',
  },
  {
    block: "[playlist] of old articles",
    becomes: "left out and reported",
    body: `<div class="wp-playlist wp-audio-playlist wp-playlist-light"><audio controls="controls" preload="none" width="640"></audio><div class="wp-playlist-next"></div><noscript><ol><li><a href="${uploads}/rain.mp3">rain</a></li></ol></noscript><script type="application/json" class="wp-playlist-script">{"type":"audio","tracks":[]}</script></div><p>After</p>`,
    shown: "<p>After</p>",
    lost: ["script", "audio"],
  },
  {
    block: "File",
    becomes: "a link",
    body: `<div class="wp-block-file"><object class="wp-block-file__embed" data="${uploads}/diary.pdf" type="application/pdf" style="width:100%;height:600px" aria-label="Sleep diary"></object><a id="wp-block-file--media-4f" href="${uploads}/diary.pdf">Sleep diary</a><a href="${uploads}/diary.pdf" class="wp-block-file__button wp-element-button" download aria-describedby="wp-block-file--media-4f">Download</a></div>`,
    shown: `<div><a href="${uploads}/diary.pdf" ${rel} id="text-wp-block-file--media-4f">Sleep diary</a> <a href="${uploads}/diary.pdf" ${rel}>Download</a></div>`,
  },
  {
    block: "Buttons",
    becomes: "a link",
    body: '<div class="wp-block-buttons is-layout-flex"><div class="wp-block-button is-style-outline"><a class="wp-block-button__link wp-element-button" href="/?p=25" style="border-radius:8px">Make your list</a></div></div>',
    shown: '<div><div><a href="/?view=read&amp;item=25">Make your list</a></div></div>',
  },
  {
    block: "Button without an address",
    becomes: "kept as text",
    body: '<div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link wp-element-button">Book now</a></div><div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="javascript:openForm()">Open</a></div></div>',
    shown: "<div><div><a>Book now</a></div><div><a>Open</a></div></div>",
    lost: ["button", "link"],
  },
  {
    block: "Embed: YouTube",
    becomes: "a fold that loads the film when it is opened",
    body: '<figure class="wp-block-embed is-type-video is-provider-youtube wp-block-embed-youtube wp-embed-aspect-16-9 wp-has-aspect-ratio"><div class="wp-block-embed__wrapper">\n<iframe loading="lazy" title="Breathing" width="500" height="281" src="https://www.youtube.com/embed/M7lc1UVf-VE?feature=oembed" frameborder="0" allow="accelerometer; autoplay" allowfullscreen></iframe>\n</div><figcaption class="wp-element-caption">Breathe</figcaption></figure>',
    shown: `<figure><div>\n${fold("YouTube", "https://www.youtube-nocookie.com/embed/M7lc1UVf-VE", "Breathing")}\n</div><figcaption>Breathe</figcaption></figure>`,
  },
  {
    block: "Embed: a film that waits for consent",
    becomes: "a fold that loads the film when it is opened",
    body: '<figure class="wp-block-embed is-type-video is-provider-youtube"><div class="wp-block-embed__wrapper">\n<iframe data-placeholder-image="/ph.jpg" data-category="marketing" data-service="youtube" class="cmplz-placeholder-element cmplz-iframe" data-cmplz-target="src" data-src-cmplz="https://www.youtube.com/embed/M7lc1UVf-VE?feature=oembed" title="Breathing" width="500" height="281" src="about:blank"></iframe>\n</div></figure>',
    shown: `<figure><div>\n${fold("YouTube", "https://www.youtube-nocookie.com/embed/M7lc1UVf-VE", "Breathing")}\n</div></figure>`,
  },
  {
    block: "Embed: Vimeo",
    becomes: "a fold that loads the film when it is opened",
    body: '<figure class="wp-block-embed is-type-video is-provider-vimeo wp-block-embed-vimeo"><div class="wp-block-embed__wrapper">\n<iframe loading="lazy" title="Stretches" src="https://player.vimeo.com/video/76979871?dnt=1&amp;app_id=122963" width="500" height="281" frameborder="0" allow="autoplay; fullscreen"></iframe>\n</div></figure>',
    shown: `<figure><div>\n${fold("Vimeo", "https://player.vimeo.com/video/76979871?dnt=1", "Stretches")}\n</div></figure>`,
  },
  {
    block: "Embed: a frame of another service",
    becomes: "left out and reported",
    body: '<figure class="wp-block-embed is-type-rich is-provider-spotify wp-block-embed-spotify"><div class="wp-block-embed__wrapper">\n<iframe title="Spotify Embed: Rain" style="border-radius: 12px" width="100%" height="152" frameborder="0" allow="autoplay; clipboard-write" loading="lazy" src="https://open.spotify.com/embed/track/4uLU6h?utm_source=oembed"></iframe>\n</div></figure><p>After</p>',
    shown: "<p>After</p>",
    lost: ["frame"],
  },
  {
    block: "Embed: a post of another service",
    becomes: "kept as text",
    body: '<figure class="wp-block-embed is-type-rich is-provider-twitter"><div class="wp-block-embed__wrapper">\n<blockquote class="twitter-tweet" data-width="500"><p lang="en" dir="ltr">Go to bed.</p>&mdash; Sleep (@sleep) <a href="https://x.example/sleep/1">1 May</a></blockquote><script async src="https://platform.x.example/widgets.js" charset="utf-8"></script>\n</div></figure>',
    shown: `<figure><div>\n<blockquote><p lang="en" dir="ltr">Go to bed.</p>— Sleep (@sleep) <a href="https://x.example/sleep/1" ${rel}>1 May</a></blockquote>\n</div></figure>`,
    lost: ["script"],
  },
  {
    block: "Embed: an address that WordPress could not look up",
    becomes: "a link",
    body: '<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://talks.example/sleep?a=1&amp;b=2\n</div></figure>',
    shown: `<figure><div><a href="https://talks.example/sleep?a=1&amp;b=2" ${rel}>https://talks.example/sleep?a=1&amp;b=2</a></div></figure>`,
  },
  {
    block: "Embed: a post of the CMS",
    becomes: "a link",
    body: `<figure class="wp-block-embed is-type-wp-embed"><div class="wp-block-embed__wrapper">\n<blockquote class="wp-embedded-content" data-secret="x7"><a href="${ORIGIN}/a-worry-list/">A worry list</a></blockquote><iframe class="wp-embedded-content" sandbox="allow-scripts" security="restricted" title="“A worry list”" src="${ORIGIN}/a-worry-list/embed/#?secret=x7" data-secret="x7" width="500" height="282" frameborder="0"></iframe>\n</div></figure>`,
    shown:
      '<figure><div>\n<blockquote><a href="/?view=read&amp;item=25">A worry list</a></blockquote>\n</div></figure>',
  },
  {
    block: "Custom HTML",
    becomes: "kept as text",
    body: '<div class="calc"><p>Your <span style="color:red">bedtime</span>:</p><canvas id="clock"></canvas><object data="old.swf"><embed src="old.swf"></object></div><script>draw()</script><style>.calc{color:red}</style>',
    shown: "<div><p>Your bedtime:</p></div>",
    lost: ["drawing", "object", "script"],
  },
  {
    block: "Forms, of a block or a plug-in",
    becomes: "left out and reported",
    body: '<div class="wpcf7 no-js" id="f4"><form action="/#f4" method="post"><input type="hidden" name="_wpcf7" value="4"/><p><label>Your name<br /><span><input type="text" name="your-name"/></span></label></p><p><input type="submit" value="Send"/><button>Send <b>now</b></button></p></form></div><p>After</p>',
    shown: '<div id="text-f4"></div><p>After</p>',
    lost: ["form"],
  },
  {
    block: "Search",
    becomes: "left out and reported",
    body: `<form role="search" method="get" action="${ORIGIN}/" class="wp-block-search__button-outside wp-block-search"><label class="wp-block-search__label" for="s1">Search</label><div class="wp-block-search__inside-wrapper"><input class="wp-block-search__input" id="s1" type="search" name="s" required/><button aria-label="Search" class="wp-block-search__button has-icon" type="submit"><svg class="search-icon" viewBox="0 0 24 24"><path d="M13 5"></path></svg></button></div></form><p>After</p>`,
    shown: "<p>After</p>",
    lost: ["form"],
  },
  {
    block: "Latest posts, and other lists of links",
    becomes: "kept",
    body: `<ul class="wp-block-latest-posts__list wp-block-latest-posts"><li><a class="wp-block-latest-posts__post-title" href="${ORIGIN}/a-worry-list/">A worry list</a><time datetime="2025-05-31" class="wp-block-latest-posts__post-date">31 May</time></li><li><a href="${ORIGIN}/category/news/">News</a></li></ul>`,
    shown: `<ul><li><a href="/?view=read&amp;item=25">A worry list</a> <time datetime="2025-05-31">31 May</time></li><li><a href="${ORIGIN}/category/news/" ${rel}>News</a></li></ul>`,
  },
  {
    block: "Query Loop",
    becomes: "kept",
    body: `<div class="wp-block-query is-layout-flow"><ul class="columns-3 wp-block-post-template"><li class="wp-block-post post-25 post type-post status-publish"><figure class="wp-block-post-featured-image"><a href="${ORIGIN}/a-worry-list/"><img src="${uploads}/list.jpg" alt="A list"/></a></figure><h3 class="wp-block-post-title"><a href="${ORIGIN}/a-worry-list/" target="_self">A worry list</a></h3><div class="wp-block-post-excerpt"><p class="wp-block-post-excerpt__excerpt">Write it down.</p></div><div class="wp-block-post-date"><time datetime="2025-05-31T09:00:00+01:00">31 May</time></div></li></ul><nav class="wp-block-query-pagination" aria-label="Pagination"><a href="?query-1-page=2" class="wp-block-query-pagination-next">Next Page<span class="wp-block-query-pagination-next-arrow" aria-hidden="true">→</span></a></nav></div>`,
    shown: `<div><ul><li><figure><a href="/?view=read&amp;item=25">${picture('alt="A list"')}</a></figure><h3><a href="/?view=read&amp;item=25">A worry list</a></h3><div><p>Write it down.</p></div><div><time datetime="2025-05-31T09:00:00+01:00">31 May</time></div></li></ul><a>Next Page→</a></div>`,
    lost: ["link"],
  },
  {
    block: "Social links",
    becomes: "a link",
    body: '<ul class="wp-block-social-links is-layout-flex"><li class="wp-social-link wp-social-link-mastodon wp-block-social-link"><a href="https://social.example/@sleep" class="wp-block-social-link-anchor"><svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M23"></path></svg><span class="wp-block-social-link-label screen-reader-text">Mastodon</span></a></li></ul>',
    shown: `<ul><li><a href="https://social.example/@sleep" ${rel}>Mastodon</a></li></ul>`,
  },
  {
    block: "Log-in/out",
    becomes: "left out and reported",
    body: `<p>Welcome.</p><div class="logged-in wp-block-loginout"><a rel="nofollow" href="${ORIGIN}/wp-login.php?action=logout&#038;_wpnonce=5ec4e7">Log out</a></div>`,
    shown: "<p>Welcome.</p>",
    lost: ["log-in link"],
  },
  {
    block: "Shortcode that no plug-in runs",
    becomes: "kept as text",
    body: "<p>Ask us.</p>\n<p>[contact-form-7 id=&#8221;123&#8221; title=&#8221;Contact&#8221;]</p>",
    shown: "<p>Ask us.</p>\n<p>[contact-form-7 id=”123” title=”Contact”]</p>",
    lost: ["shortcode [contact-form-7]"],
  },
];
