/** Something in a text that could not be brought in, and how often. */
export type Loss = { what: string; why: string; count: number };

export type LossCounter = { note(what: string, why: string): void; list(): Loss[] };

/** A text that lost more kinds of things is a mistake as a whole. */
const MOST_KINDS = 50;

export function createLossCounter(): LossCounter {
  const losses = new Map<string, Loss>();
  return {
    note(what, why) {
      const isNew = !losses.has(`${what}: ${why}`);
      const loss =
        isNew && losses.size >= MOST_KINDS ? { what: "others", why: "there are too many to name" } : { what, why };
      const key = `${loss.what}: ${loss.why}`;
      losses.set(key, { ...loss, count: (losses.get(key)?.count ?? 0) + 1 });
    },
    list: () => [...losses.values()],
  };
}

/** What is lost with an element that is left out whole. Elements that only mark or arrange text lose nothing. */
const lostElements = new Map<string, [what: string, why: string]>([
  ["script", ["script", "scripts of a text never run here"]],
  ["object", ["object", "plug-ins and documents are not embedded here"]],
  ["embed", ["object", "plug-ins and documents are not embedded here"]],
  ["applet", ["object", "plug-ins and documents are not embedded here"]],
  ["form", ["form", "forms of the CMS do not work here"]],
  ["input", ["form field", "forms of the CMS do not work here"]],
  ["select", ["form field", "forms of the CMS do not work here"]],
  ["textarea", ["form field", "forms of the CMS do not work here"]],
  ["svg", ["drawing", "drawings inside a text are not shown"]],
  ["canvas", ["drawing", "drawings inside a text are not shown"]],
  ["math", ["formula", "only its letters and figures are kept"]],
  ["map", ["image map", "only its picture is kept"]],
]);

/** `open`: how many elements of a name are open, the one that is noted among them. */
type Noting = { open: ReadonlyMap<string, number>; losses: LossCounter };

/** Counts an element that is left out with all that it does, once however much is in it. */
export function noteLostElement(name: string, attributes: Record<string, string>, { open, losses }: Noting): void {
  const lost = lostElements.get(name);
  if (!lost) return noteBackground(attributes, losses);
  const [what, why] = lost;
  const has = (each: string) => (open.get(each) ?? 0) > 0;
  // Counted with its form; or no field at all, as the boxes of a check list are.
  const isNoField = what === "form field" && (has("form") || attributes.type === "hidden" || "disabled" in attributes);
  const isIcon = what === "drawing" && (has("a") || has("button") || attributes["aria-hidden"] === "true");
  // The preview of a file block, whose link stays.
  const isPreview = attributes.class?.includes("wp-block-file__embed");
  const isInside = (open.get(name) ?? 0) > 1 || (what === "object" && has("object") && name !== "object");
  if (!isNoField && !isIcon && !isPreview && !isInside) losses.note(what, why);
}

/** A picture that is none but in its style: the parallax background of a cover block. */
function noteBackground({ role, style }: Record<string, string>, losses: LossCounter): void {
  if (role === "img" && style?.includes("url(")) losses.note("picture", "it is only the background of a block");
}
