import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";

/** A text browser, used by its keys: no style, no script, and only a `Referer` to show where a form comes from. */
export type Lynx = AsyncDisposable & {
  see(words: string): Promise<void>;
  follow(link: string): Promise<void>;
  press(button: string): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  choose(option: string): Promise<void>;
};

/** So high that every page of the journey is one screen. */
const ROWS = 400;
const COLUMNS = 200;
const keys = { redraw: "\f", emptied: "\u0015", next: "\t", quit: "Q" };

// oxlint-disable-next-line no-control-regex -- terminals are driven by control characters
const drawn = /\u001b\[H\u001b\[J[^]*H\)elp O\)ptions/;

/** After pages with a query lynx sends a `Referer` only by its setting (docs/decisions/0014). */
export async function startLynx(program: string, url: string): Promise<Lynx> {
  const home = await mkdtemp(join(tmpdir(), "dormouse-lynx-"));
  const settings = ["REFERER_WITH_QUERY:PARTIAL", "CHARACTER_SET:utf-8", "INFOSECS:0", "MESSAGESECS:0", "ALERTSECS:0"];
  await writeFile(join(home, "lynx.cfg"), `${settings.join("\n")}\n`);
  await writeFile(join(home, ".lynxrc"), "keypad_mode=LINKS_AND_FIELDS_ARE_NUMBERED\n");
  const options = "-nopause -accept_all_cookies -tna -nocolor";
  const command = `stty rows ${ROWS} cols ${COLUMNS}; exec ${program} -cfg=${home}/lynx.cfg ${options} '${url}'`;
  // It needs a terminal, which util-linux's `script` gives.
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TERM: "vt100",
    LANG: "C.UTF-8",
    LINES: `${ROWS}`,
    COLUMNS: `${COLUMNS}`,
  };
  const lynx = spawn("script", ["-qefc", command, "/dev/null"], { env, stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(lynx, "exit");
  let output = "";
  lynx.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  const send = (text: string) => void lynx.stdin.write(text);

  /** Waits for the screen that lynx draws once a page is complete; until then it drops keys. */
  async function draw(): Promise<string> {
    output = "";
    send(keys.redraw);
    await expect.poll(() => output, { timeout: 1000, interval: 10 }).toMatch(drawn);
    return readScreen(output);
  }

  /** Goes to the first control whose words, from its number on, match; then types `then`. */
  async function use(what: string, fits: (words: string, before: string) => boolean, then = ""): Promise<void> {
    let number: string | undefined;
    const look = async () => {
      const screen = await draw().catch(() => "");
      const controls = [...screen.matchAll(/\[(\d+)\]([^[]*)/g)];
      number = controls.find(({ 2: words = "", index }) => fits(words, screen.slice(0, index)))?.[1];
      return number ?? screen;
    };
    await expect.poll(look, { message: what }).toMatch(/^\d+$/);
    send(`${number}\r${then}`);
  }

  return {
    async see(words) {
      await expect.poll(() => draw().catch(() => "")).toContain(words);
    },
    follow: (link) => use(link, (words) => words.startsWith(link)),
    // A button's number is before its value, or before BUTTON without one: `([9]BUTTON) Log In`.
    press: (button) => use(button, (words) => words.replace(/^[\w-]+\) /, "\0").startsWith(`\0${button}`), "\r"),
    choose: (option) => use(option, (words) => /^\(.?\)/.test(words) && words.includes(option), "\r"),
    fill: (label, text) => use(label, (_, before) => isBehind(label, before), `\r${keys.emptied}${text}${keys.next}`),
    async [Symbol.asyncDispose]() {
      send(keys.quit);
      lynx.kill();
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A field's label is the last words before its number: on its line or, after a hint, above it. */
function isBehind(label: string, before: string): boolean {
  const after = before.slice(before.lastIndexOf("]") + 1);
  return new RegExp(`\\n *${label} *(?:\\n|$)`).test(after);
}

/** An escape sequence with its numbers, or a character. */
// oxlint-disable-next-line no-control-regex -- terminals are driven by control characters
const strokes = /\u001b\[\??(\d*);?(\d*)([a-zA-Z])|\u001b(?:[()].|.)|[^]/gu;

/** As far as lynx uses a terminal: text, moves of the cursor and clearing. */
function readScreen(output: string): string {
  let lines: string[][] = [];
  let row = 0;
  let column = 0;
  const moves: Record<string, (first: number | undefined, second: number | undefined) => void> = {
    H: (first = 1, second = 1) => ([row, column] = [first - 1, second - 1]),
    A: (count = 1) => (row -= count),
    B: (count = 1) => (row += count),
    C: (count = 1) => (column += count),
    D: (count = 1) => (column -= count),
    J: () => (lines = lines.slice(0, row)),
    K: () => (lines[row] = (lines[row] ?? []).slice(0, column)),
  };
  const controls: Record<string, () => void> = {
    "\r": () => (column = 0),
    "\n": () => (row += 1),
    "\b": () => (column -= 1),
  };
  for (const [text, first, second, move = ""] of output.matchAll(strokes)) {
    if (move !== "") moves[move]?.(Number(first) || undefined, Number(second) || undefined);
    else if (Object.hasOwn(controls, text)) controls[text]?.();
    else if (text >= " ") (lines[row] ??= [])[column++] = text;
  }
  return Array.from(lines, (line) => Array.from(line ?? [], (mail) => mail ?? " ").join("")).join("\n");
}
