import type { Item } from "../../../server/content/items/item.ts";
import { itemKey, parseItemKey } from "../../../server/content/items/kinds.ts";
import { dayText, isAwakePiece } from "../../../server/content/items/item-facts.ts";
import type { UrgentHelp } from "../../../server/content/urgent-help/urgent-help.ts";
import asleep from "../../components/pictures/dormouse/asleep.svg?raw";
import { toProblem } from "../../components/problem.tsx";
import { answerQuietPage, KeepButtons } from "./quiet-page.tsx";
import { QuietHelp } from "../../components/urgent-help.tsx";
import { requireActiveMember, requireServices } from "../../frame/middleware/guards.ts";
import { href } from "../../frame/paths.ts";
import type { Route } from "./+types/kept.ts";
import { Piece, toRhythmRule } from "./awake.tsx";
import { QuietPlayer, quietPlayer } from "../../player/quiet-player.tsx";
import { listSources } from "../../player/core/sources.ts";

/**
 * Pages for use without a network: an item, or all of Awake now. They name no member. Without a key it lists the stored
 * pages; `public/service-worker.js` fills it in, because only the browser knows them.
 */
export async function loader({ request, context, params: { key } }: Route.LoaderArgs) {
  const page = toPage(request, context);
  if (key === undefined) return answerList(page);
  const member = await requireActiveMember(context);
  const { catalogue, keptFor, urgentHelp } = requireServices(context);
  const owner = keptFor(member.id);
  // Recordings are stored one by one: together they are large.
  const pieces = catalogue.listAwake().filter(isAwakePiece);
  if (key === "awake") return answerAwake(pieces, { ...page, owner, urgentHelp });
  const ref = parseItemKey(key);
  const item = ref && catalogue.findItem(ref.kind, ref.id);
  return item ? answerItem(item, { ...page, owner }) : answerMissing(page);
}

/** Only without a service worker: then nothing is stored. */
export const action = ({ request, context }: Route.ActionArgs) => answerList(toPage(request, context));

type Page = { context: Route.LoaderArgs["context"]; productName: string; device: string };

type MembersPage = Page & { owner: string };

function toPage({ headers }: Request, context: Page["context"]): Page {
  // Only browsers of phones claim to be mobile; `public/keep.js` checks the same.
  const isPhone = /\bMobi/.test(headers.get("User-Agent") ?? "");
  return {
    context,
    productName: requireServices(context).product.name,
    device: isPhone ? "this phone" : "this device",
  };
}

function answerList({ context, productName, device }: Page): Response {
  return answerQuietPage(context, {
    title: `On ${device} – ${productName}`,
    children: (
      <>
        <main>
          <div className="asleep" aria-hidden="true" dangerouslySetInnerHTML={{ __html: asleep }} />
          <div
            className="words"
            dangerouslySetInnerHTML={{
              __html: `<!--kept--><h1>On ${device}</h1><p>Nothing saved yet.</p><!--/kept-->`,
            }}
          />
        </main>
        <nav aria-label={`On ${device}`}>
          <a href={href("/")}>{`Go to ${productName}`}</a>
        </nav>
      </>
    ),
  });
}

function answerMissing(page: Page): Response {
  const { title, sentence } = toProblem(404);
  return answerQuietPage(page.context, {
    title: `${title} – ${page.productName}`,
    status: 404,
    children: (
      <>
        <main>
          <div className="asleep" aria-hidden="true" dangerouslySetInnerHTML={{ __html: asleep }} />
          <h1>{title}</h1>
          <div className="words">
            <p>{sentence}</p>
          </div>
        </main>
        <KeptLinks {...page} />
      </>
    ),
  });
}

/** All pieces in one document, where each leads to the next. */
function answerAwake(pieces: Item[], page: MembersPage & { urgentHelp: UrgentHelp }): Response {
  if (pieces.length === 0) return answerMissing(page);
  const { context, owner, productName, urgentHelp } = page;
  return answerQuietPage(context, {
    title: `Awake now – ${productName}`,
    style: `.piece:not(:target,.piece:first-of-type),.piece:first-of-type:has(~ .piece:target){display:none}${[...new Set(pieces.map(toRhythmRule))].join("")}`,
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
        <KeptLinks {...page} />
        <footer>
          <QuietHelp line={urgentHelp.awake} />
        </footer>
      </>
    ),
  });
}

function answerItem(item: Item, page: MembersPage): Response {
  const { context, owner, productName } = page;
  const { title, author, date, length, sound, sampleNote } = item;
  const { bodyHtml, transcriptHtml } = item.readTexts();
  const recording = sound
    ? listSources(sound)
        .map(({ src }) => src)
        .join("|")
    : "";
  const html = oneWidth(bodyHtml + (transcriptHtml ? `<h2>Transcript</h2>${transcriptHtml}` : ""));
  return answerQuietPage(context, {
    title: `${title} – ${productName}`,
    ...(sound && quietPlayer),
    headers: {
      "X-Kept-For": owner,
      "X-Kept-Files": [...listFiles(html), recording].filter(Boolean).join(","),
    },
    children: (
      <>
        <main>
          <h1>{title}</h1>
          <p>
            {author}, <time dateTime={date}>{dayText(date)}</time>
            {length && <span>{`, ${length}`}</span>}
          </p>
          {sound && <QuietPlayer title={title} sound={sound} />}
          <div className="words" dangerouslySetInnerHTML={{ __html: html }} />
          {sampleNote && <p className="note">{sampleNote}</p>}
        </main>
        <KeptLinks {...page} />
        <footer>
          <KeepButtons name={itemKey(item)} />
        </footer>
      </>
    ),
  });
}

function KeptLinks({ device }: Page) {
  return (
    <nav aria-label={`On ${device}`}>
      <a href={href("/kept")}>Everything saved on {device}</a>
    </nav>
  );
}

/** A stored picture has one width. */
function oneWidth(html: string): string {
  return html.replaceAll(/ srcset="[^"<]*" sizes="[^"<]*"/g, "");
}

/** Our own files that a page needs. Sanitised HTML has its attributes in double quotes. */
function listFiles(html: string): string[] {
  const sources = [...html.matchAll(/ src="([^"<]*)"/g)].map(([, src = ""]) => src.replaceAll("&amp;", "&"));
  return [...new Set(sources.filter((src) => src.startsWith(href("/media/"))))];
}
