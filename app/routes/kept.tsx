import { data } from "react-router";

import type { Item } from "../../server/content/item.ts";
import { itemKey, parseItemKey } from "../../server/content/kinds.ts";
import { isAwakePiece } from "../../server/content/rules.ts";
import { answerQuietPage, KeepPlace } from "../components/quiet-page.tsx";
import { nonceContext } from "../context.ts";
import { requireActiveMember, requireServices } from "../middleware/guards.ts";
import { href } from "../paths.ts";
import type { Route } from "./+types/kept.ts";
import { Help, Piece, rhythmOf } from "./dashboard/awake.tsx";
import { Recording } from "./dashboard/player.tsx";

/**
 * Pages that a browser keeps for use without a network: an item, or all of Awake now. They name no member. Without a key it is the list of
 * kept pages, which `public/service-worker.js` fills in, because only the browser knows it.
 */
export async function loader({ context, params: { key } }: Route.LoaderArgs) {
  if (key === undefined) return answerList(context.get(nonceContext), requireServices(context).product.name);
  const member = await requireActiveMember(context);
  const { catalogue, keptFor, product } = requireServices(context);
  const page = { nonce: context.get(nonceContext), owner: keptFor(member.id), productName: product.name };
  // Recordings are kept one by one: together they are large.
  if (key === "awake") return answerAwake(catalogue.listAwake().filter(isAwakePiece), page);
  const asked = parseItemKey(key);
  const item = asked && catalogue.findItem(asked.kind, asked.id);
  if (!item) throw data("There is no such item.", { status: 404 });
  return answerItem(item, page);
}

/** Answers the form of the list where no service worker did: then nothing is kept. */
export const action = ({ context }: Route.ActionArgs) =>
  answerList(context.get(nonceContext), requireServices(context).product.name);

type Page = { nonce: string | undefined; owner: string; productName: string };

function answerList(nonce: string | undefined, productName: string): Response {
  return answerQuietPage({
    title: `On this phone – ${productName}`,
    nonce,
    children: (
      <>
        <main>
          <h1>On this phone</h1>
          <div
            className="words"
            dangerouslySetInnerHTML={{ __html: "<!--kept--><p>Nothing is kept here.</p><!--/kept-->" }}
          />
        </main>
        <nav aria-label="On this phone">
          <a href={href("/")}>{`Go to ${productName}`}</a>
        </nav>
      </>
    ),
  });
}

/** All pieces in one document, where each leads to the next. */
function answerAwake(pieces: Item[], { nonce, owner, productName }: Page): Response {
  if (pieces.length === 0) throw data("There is nothing to keep.", { status: 404 });
  return answerQuietPage({
    title: `Awake now – ${productName}`,
    nonce,
    style: `.piece:not(:target,.piece:first-of-type),.piece:first-of-type:has(~ .piece:target){display:none}${[...new Set(pieces.map(rhythmOf))].join("")}`,
    headers: { "X-Kept-For": owner },
    children: (
      <>
        <main>
          {pieces.map((piece, index) => (
            <section key={piece.id} className="piece" id={`piece-${index}`}>
              <Piece piece={piece} />
              <p>
                <a className="another" href={`#piece-${(index + 1) % pieces.length}`}>
                  Another
                </a>
              </p>
            </section>
          ))}
        </main>
        <KeptLinks />
        <footer>
          <Help />
        </footer>
      </>
    ),
  });
}

function answerItem(item: Item, { nonce, owner, productName }: Page): Response {
  const { title, author, date, bodyHtml, transcriptHtml, sound } = item;
  const html = oneWidth(bodyHtml + (transcriptHtml ? `<h2>Transcript</h2>${transcriptHtml}` : ""));
  return answerQuietPage({
    title: `${title} – ${productName}`,
    nonce,
    headers: {
      "X-Kept-For": owner,
      "X-Kept-Files": [...listFiles(html), sound?.src, sound?.m4a].filter(Boolean).join(","),
    },
    children: (
      <>
        <main>
          <h1>{title}</h1>
          <p>
            {author}, <time dateTime={date}>{date}</time>
          </p>
          {sound && <Recording title={title} sound={sound} />}
          <div className="words" dangerouslySetInnerHTML={{ __html: html }} />
        </main>
        <KeptLinks />
        <footer>
          <KeepPlace name={itemKey(item)} />
        </footer>
      </>
    ),
  });
}

function KeptLinks() {
  return (
    <nav aria-label="On this phone">
      <a href={href("/kept")}>All that is kept on this phone</a>
    </nav>
  );
}

/** A picture is kept in one width. */
function oneWidth(html: string): string {
  return html.replaceAll(/ srcset="[^"<]*" sizes="[^"<]*"/g, "");
}

/** The files of ours that a page needs. Sanitised HTML has its attributes in double quotes. */
function listFiles(html: string): string[] {
  const ours = [...html.matchAll(/ src="([^"<]*)"/g)].map(([, src = ""]) => src.replaceAll("&amp;", "&"));
  return [...new Set(ours.filter((src) => src.startsWith(href("/media/"))))];
}
