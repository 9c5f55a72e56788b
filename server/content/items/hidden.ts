type Attributes = Record<string, string>;

const forScreenReaders = /(?:^|\s)(?:screen-reader-(?:text|only)|sr-only|visually-?hidden)(?:\s|$)/i;

/** Script of the source opens these parts on demand: tabs, folds, carousels. We show them all. */
const opened = /(?:^|[-_\s])(?:tab|tabs|tabpanel|accordion|toggle|collapse|collapsible|panel|faq|slide)(?:$|[-_\s])/i;

/** Sizes and positions from here on count as off the page. */
const FAR = 999;

/**
 * How the source hides an element from all readers, in words for operators; `undefined` if it is visible or a click
 * opens it. `isInLink`: texts for screen readers stay there, because they often name a link.
 */
export function findHiding(attributes: Attributes, { isInLink }: { isInLink: boolean }): string | undefined {
  const { class: classes = "", role = "", hidden, style = "" } = attributes;
  if (/^(?:tabpanel|region)$/i.test(role.trim()) || opened.test(classes)) return undefined;
  if (hidden !== undefined && hidden.trim().toLowerCase() !== "until-found") return "hidden";
  if (forScreenReaders.test(classes)) return isInLink ? undefined : "a class for screen readers only";
  return style === "" ? undefined : findHidingStyle(style);
}

function findHidingStyle(style: string): string | undefined {
  const declared = readStyle(style);
  const isOut = /^(?:absolute|fixed)$/.test(declared.get("position") ?? "");
  return [...declared].find(([name, value]) => {
    const hides = hiding[name];
    return hides !== undefined && (isOut || !places.has(name)) && hides(value);
  })?.[0];
}

/** Of several declarations the last counts; comments and `!important` are ignored. */
function readStyle(style: string): Map<string, string> {
  const declarations = style.replace(/\/\*[^*]*\*\//g, "").split(";");
  return new Map(
    declarations.map((each): [string, string] => {
      const [name = "", ...value] = each.split(":");
      return [name.trim().toLowerCase(), value.join(":").toLowerCase().replace("!important", "").trim()];
    }),
  );
}

const isNothing = (value: string) => /^[+-]?0*\.?0*(?:[a-z]+|%)?$/.test(value) && /0/.test(value);
const isFar = (value: string) => Math.abs(Number.parseFloat(value)) >= FAR;
const isFarBack = (value: string) => Number.parseFloat(value) <= -FAR;

/** They move only an element that is positioned. */
const places = new Set(["left", "right", "top", "bottom", "inset-inline-start", "clip"]);

const hiding: Record<string, (value: string) => boolean> = {
  display: (value) => value === "none",
  visibility: (value) => value === "hidden" || value === "collapse",
  "content-visibility": (value) => value === "hidden",
  opacity: isNothing,
  "font-size": isNothing,
  "text-indent": isFar,
  left: isFar,
  right: isFar,
  top: isFar,
  bottom: isFar,
  "inset-inline-start": isFar,
  "margin-left": isFarBack,
  "margin-top": isFarBack,
  clip: (value) => /^rect\(\s*(?:[01](?:px)?[\s,]*){4}\)$/.test(value),
  "clip-path": (value) => /^inset\(\s*(?:50|100)%\s*\)$/.test(value),
};
