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
export const lostElements: Readonly<Record<string, [what: string, why: string]>> = {
  script: ["script", "scripts of a text never run here"],
  object: ["object", "plug-ins and documents are not embedded here"],
  embed: ["object", "plug-ins and documents are not embedded here"],
  applet: ["object", "plug-ins and documents are not embedded here"],
  form: ["form", "forms of the CMS do not work here"],
  input: ["form field", "forms of the CMS do not work here"],
  select: ["form field", "forms of the CMS do not work here"],
  textarea: ["form field", "forms of the CMS do not work here"],
  svg: ["drawing", "drawings inside a text are not shown"],
  canvas: ["drawing", "drawings inside a text are not shown"],
  math: ["formula", "only its letters and figures are kept"],
  map: ["image map", "only its picture is kept"],
};
