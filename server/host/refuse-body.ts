import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { SECOND_IN_MS } from "../clock.ts";
import { discardRest, pictureForm, type BodyRule } from "./body-limit.ts";
import { forms, pictures } from "../refusals.ts";

/** What is too large to be looked at, and where the product is. */
type Refusal = { rule: BodyRule; path: string; basePath: string };

/** Answers 413 in words: a page to who sent the form as a page, a sentence to script and to everybody else. */
export function refuseBody(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent) return void response.destroy();
  const { type, body, policy } = wordsFor(refusal, request.headers.cookie);
  response.writeHead(413, {
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Length": Buffer.byteLength(body),
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    Connection: "close",
  });
  response.write(body);
  endAfterRequest(request, response);
}

const TITLE = pictures.spec["too-big"];
const ADVICE = pictures.ours["too-big-to-read"];
/** The product's own styles may not be there: this comes from outside of it. */
const STYLE =
  ":root{background:light-dark(#faf6ee,#0d1420)}main{max-width:32rem;margin:15vh auto;padding:1rem;font:1.125rem/1.6 system-ui,sans-serif}";
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** The scheme that somebody chose, as `app/cookies.ts` keeps it: a white page in the middle of the night wakes people. */
const chosenScheme = /(?:^|; )dormouse-scheme=(night|dawn)(?:;|$)/;
const colorSchemes = { night: "dark", dawn: "light" };

function wordsFor({ rule, path, basePath }: Refusal, cookies = ""): { type: string; body: string; policy: string } {
  const policy = "default-src 'none'; frame-ancestors 'none'";
  if (rule !== pictureForm) return { type: "text/plain", body: `${forms.ours["too-large"]}\n`, policy };
  if (path.endsWith(".data")) return { type: "text/plain", body: `${TITLE}. ${ADVICE}\n`, policy };
  const chosen = chosenScheme.exec(cookies)?.[1] as keyof typeof colorSchemes | undefined;
  const scheme = chosen ? colorSchemes[chosen] : "dark light";
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="${scheme}"><title>${TITLE}</title><style>${STYLE}</style>`;
  const main = `<h1>${TITLE}</h1><p>${ADVICE}</p><p><a href="${basePath}?account=open">Back to My Account</a></p>`;
  return {
    type: "text/html",
    body: `<!doctype html><html lang="en-GB"><head>${head}</head><body><main>${main}</main></body></html>\n`,
    policy: `${policy}; style-src 'sha256-${STYLE_HASH}'`,
  };
}

/** As long as that somebody goes on sending what nobody wants, and as long without a word. */
const LINGER_IN_MS = 30 * SECOND_IN_MS;
const LINGER_IDLE_IN_MS = 5 * SECOND_IN_MS;

/**
 * The answer is out; the connection ends with the request, which nobody keeps. A browser that is cut off in the middle of
 * sending shows that, and never the answer.
 */
function endAfterRequest(request: IncomingMessage, response: ServerResponse): void {
  const end = () => {
    clearTimeout(whole);
    clearTimeout(idle);
    response.end();
  };
  const whole = setTimeout(end, LINGER_IN_MS);
  const idle = setTimeout(end, LINGER_IDLE_IN_MS);
  if (request.complete) return end();
  discardRest(request);
  request
    .on("data", () => idle.refresh())
    .once("end", end)
    .once("close", end);
}
