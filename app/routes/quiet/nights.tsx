import { data, redirect } from "react-router";

import type { Nights } from "../../../server/content/catalogue/guides.ts";
import { itemKey, parseItemKey, sections } from "../../../server/content/items/kinds.ts";
import { nightsText } from "../../../server/content/items/item-facts.ts";
import type { NightState } from "../../../server/platform/database/schema.ts";
import { nights as messages } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import type { HelpLine } from "../../../server/content/urgent-help/matcher.ts";
import { QuietHelp } from "../../components/urgent-help.tsx";
import { admitMember, answerQuietPage } from "./quiet-page.tsx";
import { runIntent } from "../../forms/intents.ts";
import { tooMany, tooSoon } from "../../forms/messages.ts";
import { readText } from "../../forms/read-text.ts";
import { requireActiveMember, requireSender, requireServices } from "../../frame/middleware/guards.ts";
import { href, itemPath } from "../../frame/paths.ts";
import { noteNights } from "../member/dashboard/go-on.ts";
import { tiles } from "../member/dashboard/landing-texts.ts";
import style from "./nights.css?inline";
import { readMarks, writeMarks } from "../member/dashboard/undo.ts";
import { nightsPath, searchPath } from "../member/dashboard/view.ts";
import type { Route } from "./+types/nights.ts";

/** One item a night. */
export async function loader({ context, url, params }: Route.LoaderArgs) {
  const member = await admitMember(context, url);
  const services = requireServices(context);
  const nights = findNights(services, params.topic);
  const { positions, product, urgentHelp } = services;
  const marks = await positions.nights.listMarks(member.id, nights.slug);
  const isMarking = await positions.isOn(member.id);
  const undo = url.searchParams.get("undo") ?? "";
  const canUndo = isMarking && Object.keys(marks).length === 0 && readMarks(undo, nights).length > 0;
  return answerQuietPage(context, {
    title: `${titleText(nights)} – ${product.name}`,
    style,
    children: (
      <NightsPage
        nights={nights}
        marks={marks}
        isMarking={isMarking}
        undo={canUndo ? undo : undefined}
        productName={product.name}
        help={urgentHelp.awake}
      />
    ),
  });
}

export const action = (args: Route.ActionArgs) => runIntent(args, { nights: (form) => changeNights(form, args) });

/** Opens or skips a night, begins again, or undoes that. */
async function changeNights(form: FormData, args: Route.ActionArgs) {
  requireSender(args, { form });
  const member = await requireActiveMember(args.context);
  const services = requireServices(args.context);
  const { positions } = services;
  const nights = findNights(services, args.params.topic);
  const { slug } = nights;

  if (form.has("again")) {
    const undo = writeMarks(await positions.nights.listMarks(member.id, slug));
    await positions.nights.forget(member.id, slug);
    return redirect(`${nightsPath(slug)}?undo=${undo}`, { status: 303 });
  }
  const isOpening = form.has("open");
  const key = readText(form, isOpening ? "open" : "skip");
  const wanted = form.has("undo")
    ? readMarks(readText(form, "undo"), nights)
    : [{ key, state: isOpening ? ("opened" as const) : ("skipped" as const) }];
  const result = await noteNights(services, member.id, { nights, wanted });
  const item = parseItemKey(key);
  // A night that cannot be marked can be opened all the same.
  if (isOpening && item) return redirect(itemPath(item), { status: 303 });
  if (!result.ok) throw data(tooMany(result.waitInMs), tooSoon(result.waitInMs));
  return redirect(`${nightsPath(slug)}#next`, { status: 303 });
}

/** @throws 404 for a topic without nights. */
function findNights({ catalogue }: Services, topic: string): Nights {
  const nights = catalogue.listNights().find(({ slug }) => slug === topic);
  if (!nights) throw data(messages.gone, { status: 404 });
  return nights;
}

/** "Seven nights: Can't get to sleep". */
const titleText = ({ nights, topic }: Nights) => `${nightsText(nights.length)}: ${topic}`;

type NightsPageProps = {
  nights: Nights;
  marks: Partial<Record<string, NightState>>;
  /** The member wants opened items stored. */
  isMarking: boolean;
  /** The marks before the nights were begun again. */
  undo: string | undefined;
  productName: string;
  help: HelpLine;
};

function NightsPage({ nights, marks, isMarking, undo, productName, help }: NightsPageProps) {
  const { topic, slug, intro } = nights;
  const [first, ...others] = intro;
  const hasMarks = Object.keys(marks).length > 0;
  const next = isMarking ? nights.nights.findIndex((night) => !marks[itemKey(night)]) : -1;
  const { term, subject } = tiles.find(({ label }) => label === topic) ?? { term: topic, subject: topic };
  return (
    <>
      <main>
        <h1>{titleText(nights)}</h1>
        <div className="words">
          <p>{first ?? "One small step each night, in any order. Nobody is counting."}</p>
        </div>
        <form method="post" action={href(nightsPath(slug))}>
          <input type="hidden" name="intent" value="nights" />
          {undo && (
            <p className="done" role="status">
              You're back at the first night.{" "}
              <button name="undo" value={undo}>
                Undo
              </button>
            </p>
          )}
          <ol className="nights">
            {nights.nights.map((night, index) => (
              <Night
                key={itemKey(night)}
                night={night}
                number={index + 1}
                mark={marks[itemKey(night)]}
                isNext={index === next}
                isMarking={isMarking}
              />
            ))}
          </ol>
          {hasMarks && (
            <p className="done" id={next === -1 ? "next" : undefined}>
              {next === -1 && <span>That's all of them. You can open any of them again. </span>}
              <button name="again">Start again</button>
            </p>
          )}
        </form>
        <After texts={others} isMarking={isMarking} />
      </main>
      <nav aria-label="More">
        <a href={href("/")}>{`Back to ${productName}`}</a>{" "}
        <a href={href(searchPath({ term }))}>{`More on ${subject}`}</a>
      </nav>
      <footer>
        <QuietHelp line={help} />
      </footer>
    </>
  );
}

/** To read before one relies on the nights. */
function After({ texts, isMarking }: { texts: string[]; isMarking: boolean }) {
  return (
    <div className="words after">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {texts.length === 0 && (
        <p>
          These are things to try, not a treatment. See a GP if you've slept badly for months, or if your days are hard
          to manage.
        </p>
      )}
      {!isMarking && (
        <p>
          Your nights aren't marked, because your progress is off. You can turn it on in{" "}
          <a href={href("/?account=stopped")}>My Account</a>.
        </p>
      )}
    </div>
  );
}

/** In letters: more than three lines on a phone. */
const LONG_TITLE = 60;

const markTexts: Record<NightState, string> = { opened: "Opened", skipped: "Skipped" };

type NightProps = {
  night: Nights["nights"][number];
  number: number;
  mark: NightState | undefined;
  isNext: boolean;
  isMarking: boolean;
};

/** Opening marks it. Without marks it is a link. */
function Night({ night, number, mark, isNext, isMarking }: NightProps) {
  const { section, title, length, why } = night;
  const key = itemKey(night);
  return (
    <li id={isNext ? "next" : undefined} className={isNext ? "next" : mark} aria-current={isNext ? "step" : undefined}>
      <p className="night">
        {`Night ${number}`}
        {mark && <span>{`, ${markTexts[mark].toLowerCase()}`}</span>}
        {isNext && <span>, tonight</span>}
      </p>
      <h2 className={title.length > LONG_TITLE ? "long" : undefined}>
        {!isMarking && <a href={href(itemPath(night))}>{title}</a>}
        {isMarking && isNext && title}
        {isMarking && !isNext && (
          <button className="title" name="open" value={key}>
            {title}
          </button>
        )}
      </h2>
      <p>{`${why} ${sections[section].one}${length ? `, ${length}` : ""}.`}</p>
      {isNext && (
        <p className="acts">
          <button className="open" name="open" value={key}>
            Open<span className="hidden">{` ${title}`}</span>
          </button>{" "}
          <button name="skip" value={key}>
            Skip<span className="hidden">{` ${title}`}</span>
          </button>
        </p>
      )}
    </li>
  );
}
