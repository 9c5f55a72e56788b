import type { LetterHouse } from "./letter.ts";
import { escapeHtml, oneLine } from "./words.ts";

/**
 * The page a letter stands on: dark by itself, because it is read at night and many mail programs overlook style sheets; light where
 * one prefers that and the program says so. It fetches nothing. The colours are the site's own (app/styles/tokens.css).
 */
export const darkColours = {
  ground: "#0d1420",
  surface: "#151e2e",
  line: "#2e3d55",
  text: "#ece6d8",
  muted: "#a9b0bd",
  gold: "#f0bf63",
  onGold: "#16202f",
};

const lightColours: typeof darkColours = {
  ground: "#faf6ee",
  surface: "#f1ead9",
  line: "#ddd2ba",
  text: "#1d2530",
  muted: "#59616d",
  gold: "#8a5a00",
  onGold: "#faf6ee",
};

const serif = "Georgia,'Times New Roman',serif";
const sans = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/** Inline styles win over a sheet, hence `!important`. */
const lightSheet = `
:root { color-scheme: dark light; supported-color-schemes: dark light; }
@media (prefers-color-scheme: light) {
  .ground { background: ${lightColours.ground} !important; color: ${lightColours.text} !important; }
  .surface { background: ${lightColours.surface} !important; color: ${lightColours.text} !important; }
  .line { border-color: ${lightColours.line} !important; }
  .muted { color: ${lightColours.muted} !important; }
  .link, .name { color: ${lightColours.gold} !important; }
  .button { background: ${lightColours.gold} !important; color: ${lightColours.onGold} !important; }
}`;

export function page({ house, title, body }: { house: LetterHouse; title: string; body: string }): string {
  const { ground, text, gold } = darkColours;
  const name = escapeHtml(oneLine(house.productName));
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="supported-color-schemes" content="dark light">
<title>${escapeHtml(title)}</title>
<style>${lightSheet}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${ground};color:${text}">
<table role="presentation" class="ground" style="width:100%;border-collapse:collapse;background:${ground};color:${text}"><tr>
<td style="padding:32px 20px;font-family:${sans};font-size:17px;line-height:1.6">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
<p class="name" style="margin:0 0 24px;font-family:${serif};font-size:18px;color:${gold}">${name}</p>
<h1 style="margin:0 0 16px;font-family:${serif};font-size:26px;line-height:1.25;font-weight:400">${escapeHtml(title)}</h1>
${body}
</div>
</td>
</tr></table>
</body>
</html>
`;
}
