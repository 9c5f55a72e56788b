import { setImmediate as nextTurn } from "node:timers/promises";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { keepStill } from "./still-keeper.ts";
import { Card } from "./ui/card.tsx";
import { StillContext } from "./ui/still.tsx";

const aCard = () => ({
  id: 7,
  kind: "read" as const,
  title: "Naps — “short” & <early> 🌙",
  text: "Before three …",
  author: "Maren Holt",
  date: "2026-11-20",
  picture: { scene: 2 },
});

/** What a browser reads in it. */
function read(html: string): string {
  return html.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

function render(card: ReturnType<typeof aCard>, as: "h2" | "h3" = "h2"): string {
  return renderToString(
    <StillContext value={keepStill}>
      <Card card={card} as={as} />
    </StillContext>,
  );
}

test("a card that was shown before is the same to a browser, and costs its page no character beyond Latin-1", async () => {
  const card = aCard();
  const asInBrowser = renderToString(<Card card={card} />);
  expect(render(card)).toBe(asInBrowser);
  await nextTurn();
  const kept = render(card);
  const words = /<div class[^]*<\/div>/.exec(kept)?.[0] ?? "";
  expect(words).toContain("&#8212;");
  expect(words).not.toMatch(/[\u0100-\u{10ffff}]/u);
  expect(read(kept)).toBe(asInBrowser.replaceAll("&#x27;", "'"));
});

test("a card is kept apart for each way it is shown in, and never for another card", async () => {
  const card = aCard();
  render(card, "h2");
  render(card, "h3");
  await nextTurn();
  expect(render(card, "h2")).toContain("<h2");
  expect(render(card, "h3")).toContain("<h3");
  expect(render({ ...card, title: "Changed at the source" })).toContain("Changed at the source");
});

test("pictures come as they would: neither preloaded nor loaded early", async () => {
  const card = aCard();
  const first = render(card);
  await nextTurn();
  expect(/<picture>.*<\/picture>/.exec(render(card))?.[0]).toBe(/<picture>.*<\/picture>/.exec(first)?.[0]);
  expect(render(card)).not.toContain("preload");
});

test("what cannot be made apart from its page is left to the page, and takes nothing else with it", async () => {
  const broken = { as: "div" as const, of: {}, variant: "", children: () => raise() };
  const whole = { as: "div" as const, of: {}, variant: "", children: () => "Good night." };
  expect(keepStill(broken)).toBeUndefined();
  expect(keepStill(whole)).toBeUndefined();
  await nextTurn();
  expect(keepStill(broken)).toBeUndefined();
  expect(keepStill(whole)).toBe("Good night.");
  await nextTurn();
});

function raise(): never {
  throw new Error("A fault of the content");
}
