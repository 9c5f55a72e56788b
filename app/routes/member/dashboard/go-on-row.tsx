import { Form } from "react-router";

import { Icon } from "../../../components/icons.tsx";
import { Picture } from "../../../components/picture.tsx";
import { href } from "../../../frame/paths.ts";
import { OneTapTimer, useOneTap } from "../../../player/one-tap.tsx";
import type { Started } from "./go-on.ts";
import style from "./go-on-row.css?url";
import { landingTexts } from "./landing-texts.ts";

/** Comes first on the landing. Without script all of it is links. */
export function GoOnRow({ started }: { started: Started[] }) {
  return (
    <Form id="go-on-row" method="post" replace>
      {/* React puts it into the head, and waits for it: no other page has this style. */}
      <link rel="stylesheet" href={style} precedence="default" />
      <input type="hidden" name="intent" value="forget" />
      <h2 id="go-on">{landingTexts.started}</h2>
      <ul>
        {started.map((entry) => (
          <Entry key={entry.key} entry={entry} />
        ))}
      </ul>
    </Form>
  );
}

/** A tap plays a recording at once; while it plays the same place leads to its page. */
function Entry({ entry }: { entry: Started }) {
  const { key, title, path, left, picture, percent, undo, isSaved } = entry;
  const { isPaused, canPlay, play } = useOneTap(entry);
  return (
    <li>
      <a href={href(path)} onClick={play}>
        {picture && (
          <span className="go-on-picture">
            <Picture picture={picture} sizes="panel" alt="" />
            {canPlay && <Icon name="play" />}
            {percent !== undefined && <progress aria-hidden="true" max="100" value={percent} />}
          </span>
        )}
        <span>
          {canPlay && <span className="visually-hidden">Play: </span>}
          <span>{title}</span> <span className="go-on-left">{left}</span>
        </span>
      </a>
      {!isPaused ? (
        <OneTapTimer />
      ) : (
        !isSaved && (
          <button id={undo && "undo"} name={undo ? "undo" : "item"} value={undo ?? key} className="go-on-forget">
            <span>{undo ? "Undo" : "Remove"}</span>
            <span className="visually-hidden"> {title}</span>
          </button>
        )
      )}
    </li>
  );
}
