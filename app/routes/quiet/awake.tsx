import { randomInt } from "node:crypto";
import { data, redirect } from "react-router";

import type { Item } from "../../../server/content/items/item.ts";
import type { Sound } from "../../../server/content/items/sound.ts";
import { itemKey } from "../../../server/content/items/kinds.ts";
import type { HelpLine } from "../../../server/content/urgent-help/matcher.ts";
import { QuietHelp } from "../../components/urgent-help.tsx";
import { admitMember, answerQuietPage, KeepButtons } from "./quiet-page.tsx";
import { awakeCookie, readAwakeCookie } from "../../frame/cookies.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { awakePath, href, itemPath } from "../../frame/paths.ts";
import { QuietPlayer, quietPlayer } from "../../player/quiet-player.tsx";
import { findUsualSound } from "../member/dashboard/go-on.ts";
import type { Route } from "./+types/awake.ts";

/** One piece at a time, for the middle of the night. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const member = await admitMember(context, url);
  const services = requireServices(context);
  const pieces = services.catalogue.listAwake();
  const [first] = pieces;
  if (!first) throw data(null, { status: 404 });
  const shown = readAwakeCookie(request).filter((key) => pieces.some((piece) => itemKey(piece) === key));
  const key = url.searchParams.get("piece");
  const piece = pieces.find((each) => itemKey(each) === key);
  if (!piece) {
    // A piece has its own address, so that a reload and Back show the same one.
    return redirect(awakePath(itemKey(pickNew(pieces, shown) ?? first)));
  }
  const now = [...new Set([...shown, itemKey(piece)])];
  const another = pickNew(pieces, now);
  const usual = now.length < PIECES_BEFORE_SOUND ? undefined : await findUsualSound(services, member.id);
  const hasPlayer = piece.sound ?? usual;
  return answerQuietPage(context, {
    title: `Awake now – ${services.product.name}`,
    style: toRhythmRule(piece) + (hasPlayer ? quietPlayer.style : ""),
    script: hasPlayer && quietPlayer.script,
    headers: { "Set-Cookie": awakeCookie(url, another ? now : []) },
    children: (
      <AwakePage
        piece={piece}
        usual={usual}
        another={another && itemKey(another)}
        productName={services.product.name}
        help={services.urgentHelp.awake}
      />
    ),
  });
}

/** After so many pieces a member is offered the sound that helped before. */
const PIECES_BEFORE_SOUND = 3;

/** Not shown tonight, at random. */
function pickNew(pieces: Item[], shown: string[]): Item | undefined {
  const left = pieces.filter((piece) => !shown.includes(itemKey(piece)));
  return left.length > 0 ? left[randomInt(left.length)] : undefined;
}

type AwakePageProps = {
  piece: Item;
  usual: (Item & { sound: Sound }) | undefined;
  another: string | undefined;
  productName: string;
  help: HelpLine;
};

function AwakePage({ piece, usual, another, productName, help }: AwakePageProps) {
  const leadsToUsual = usual && itemKey(usual) !== itemKey(piece);
  return (
    <>
      <main className="piece">
        <Piece piece={piece} />
        {piece.sound && (
          <p>
            <a href={href(itemPath(piece))}>Play it on its own page</a>
          </p>
        )}
        {usual && !piece.sound && (
          <section className="usual" id="usual">
            <h2>{`Your usual sound: ${usual.title}`}</h2>
            <QuietPlayer title={usual.title} sound={usual.sound} />
          </section>
        )}
        {!another && <p>That was the last one for tonight.</p>}
      </main>
      <nav aria-label="Awake now" className={leadsToUsual || !another ? "crowded" : undefined}>
        {another ? (
          <a className="another" href={href(awakePath(another))}>
            Another
          </a>
        ) : (
          <a className="another" href={href(awakePath())}>
            Start again
          </a>
        )}{" "}
        {leadsToUsual && <a href={piece.sound ? href(itemPath(usual)) : "#usual"}>Your usual sound</a>}{" "}
        <a href={href("/")}>
          <span>
            Back<span className="home">{` to ${productName}`}</span>
          </span>
        </a>
      </nav>
      <footer>
        <QuietHelp line={help} /> <KeepButtons name="awake" />
      </footer>
    </>
  );
}

/** To read, to breathe with, or to listen to. */
export function Piece({ piece: { title, readTexts, breathing, sound, sampleNote } }: { piece: Item }) {
  const { bodyHtml } = readTexts();
  // Beside a recording the first paragraph is enough.
  const [first] = bodyHtml.split(/(?<=<\/p>)/);
  return (
    <>
      <h1>{title}</h1>
      {sound && <QuietPlayer title={title} sound={sound} />}
      {breathing && <div className={breathClass(breathing)} aria-hidden="true" />}
      <div className="words" dangerouslySetInnerHTML={{ __html: (sound && first) ?? bodyHtml }} />
      {sampleNote && <p className="note">{sampleNote}</p>}
    </>
  );
}

function breathClass({ in: breathIn, out: breathOut }: NonNullable<Item["breathing"]>): string {
  return `breath breath-${breathIn}-${breathOut}`.replaceAll(".", "_");
}

/** CSS: the shape opens for one breath in and closes for one breath out. */
export function toRhythmRule({ breathing }: Pick<Item, "breathing">): string {
  if (!breathing) return "";
  const whole = breathing.in + breathing.out;
  const name = breathClass(breathing).split(" ").at(-1);
  const open = ((100 * breathing.in) / whole).toFixed(1);
  return `@media (prefers-reduced-motion:no-preference){.${name}{animation:${name} ${whole}s ease-in-out infinite}}@keyframes ${name}{0%,100%{transform:scale(.45)}${open}%{transform:scale(1)}}`;
}
