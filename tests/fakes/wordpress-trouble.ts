import type { ServerResponse } from "node:http";

/** What is the matter with a CMS. Set on the fake, it befalls every request that it is meant for until it is taken away. */
export type Trouble =
  /** Never answers. */
  | "slow"
  | "500"
  | "429"
  /** Bytes that are nothing. */
  | "garbage"
  /** A page for people, with 200. */
  | "html"
  | "false"
  /** The list of a plugin that answers nothing but 200. */
  | "empty-object"
  /** More than anybody should read, its length said beforehand. */
  | "huge"
  /** Goes on for ever. */
  | "endless"
  /** To a host that is not this one. */
  | "redirect-away"
  | "redirect-in-a-circle"
  /** The connection ends in the middle of the answer. */
  | "half"
  /** The length that was said is not that of the answer. */
  | "wrong-length"
  | "wrong-page-count"
  | "no-page-count"
  /** The connection ends without an answer. */
  | "reset"
  /** Every list is there and has nothing in it. */
  | "empty"
  /** The token has been taken back. */
  | "unauthorised"
  /** A post type whose plugin was switched off. */
  | "no-videos";

/** Does what the trouble does; false if that is for whoever answers to do. */
export function befall(trouble: Trouble, response: ServerResponse, { away }: { away: string }): boolean {
  const json = { "Content-Type": "application/json; charset=UTF-8", "X-WP-Total": "1", "X-WP-TotalPages": "1" };
  const plain: Partial<Record<Trouble, () => void>> = {
    slow: () => undefined,
    "500": () =>
      response.writeHead(500, { "Content-Type": "text/html" }).end("<p>There has been a critical error.</p>"),
    "429": () => response.writeHead(429).end(),
    garbage: () => response.writeHead(200, json).end(Buffer.from([0xff, 0x00, 0x7b, 0x80])),
    html: () => response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Log in</title>"),
    false: () => response.writeHead(200, json).end("false"),
    "empty-object": () => response.writeHead(200, json).end("{}"),
    huge: () => response.writeHead(200, { ...json, "Content-Length": "900000000" }).write("["),
    endless: () => pour(response, json),
    "redirect-away": () => response.writeHead(302, { Location: away }).end(),
    "redirect-in-a-circle": () => response.writeHead(302, { Location: "/wp-json/wp/v2/videos" }).end(),
    half: () => response.writeHead(200, json).write('[{"id": 1, "title": ', () => response.destroy()),
    "wrong-length": () =>
      response.writeHead(200, { ...json, "Content-Length": "5000" }).write("[]", () => response.destroy()),
    reset: () => response.destroy(),
  };
  const act = plain[trouble];
  act?.();
  return act !== undefined;
}

/** As fast as the other end reads, until it has had enough. */
function pour(response: ServerResponse, headers: Record<string, string>): void {
  const chunk = `[${" ".repeat(65_536)}`;
  response.writeHead(200, headers);
  const go = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", go);
  go();
}
