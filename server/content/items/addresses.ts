import sanitizeHtml from "sanitize-html";

/** Decodes `&amp;` alone: `&copy=` and the like are parameters, as the author meant them. */
export function readAddress(value: string): string {
  return value.trim().replace(/&(?:amp|#0{0,5}38|#x0{0,5}26);/gi, "&");
}

/** Also without a scheme: `//host/path`, `www.host.example/path`. */
export function toWebAddress(text: string): URL | undefined {
  const address = readAddress(text);
  const isWithoutScheme = /^(?:[a-z\d-]{1,63}\.){1,5}[a-z]{2,24}(?::\d{1,5})?\//i.test(address);
  const url = URL.parse(
    address.startsWith("//") || isWithoutScheme ? `https://${address.replace(/^\/\//, "")}` : address,
  );
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/**
 * The addresses of what an element shows, the likeliest first. Plug-ins for consent and late loading leave `src` empty
 * or blank and use attributes of their own: `data-src-cmplz`, `data-cookieblock-src`, `data-lazy-src`.
 */
export function listShown(attributes: Record<string, string>): string[] {
  const { src = "" } = attributes;
  const moved = Object.entries(attributes).filter(([name]) => movedNames.test(name));
  const all = [src, ...moved.map(([, value]) => value)].map(readAddress).filter((each) => each !== "");
  return all.toSorted((a, b) => Number(isBlank(a)) - Number(isBlank(b)));
}

const movedNames = /^(?:data-(?:[\w-]{1,40}-)?(?:src|url|original|href)(?:-[\w-]{1,40})?|[\w-]{1,40}src)$/;

function isBlank(address: string): boolean {
  return /^(?:about:|data:|javascript:|#)/i.test(address);
}

/** The addresses that some HTML shows and links to, in order: the frame of an oEmbed field, for example. */
export function listAddresses(html: string): string[] {
  const found: string[] = [];
  sanitizeHtml(html, {
    allowedTags: [],
    transformTags: {
      "*": (tagName, attribs) => {
        found.push(...listShown(attribs), ...[attribs.href, attribs.data].filter((each) => each !== undefined));
        return { tagName, attribs: {} };
      },
    },
  });
  return found.map(readAddress);
}
