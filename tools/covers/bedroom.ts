/** Each is drawn above its origin, unless noted. */
import { at, box, disc, ink, line, onCircle, oval, repeat, rim, ring, round, shape, within } from "./paint.ts";

export function footprint(rx: number, op = 0.5): string {
  return oval(0, 2, rx, rx * 0.1 + 3, "#0a0f14", { op, blur: 5 });
}

/** Lit, 300 high. */
export function lamp(): string {
  return (
    disc(0, -210, 330, "glow") +
    footprint(70) +
    shape("M-52,0C-50,-18 -20,-22 -14,-48C-44,-66 -42,-112 0,-118C42,-112 44,-66 14,-48C20,-22 50,-18 52,0Z", "teal") +
    line("M-24,-96C-34,-78 -28,-64 -18,-58", ink.cream, 4, { op: 0.55 }) +
    box(-5, -136, 10, 24, "brass") +
    shape("M-62,-292H62L112,-140Q0,-116 -112,-140Z", "shade") +
    line("M-112,-140Q0,-116 112,-140", "#b9792c", 4, { op: 0.7 }) +
    oval(0, -292, 62, 8, "#fff1cc") +
    line("M-34,-286L-58,-132M0,-284V-124M34,-286L58,-132", ink.amber, 2, { op: 0.5 })
  );
}

/** With two bells; `at` in hours. */
export function alarmClock(hours: number): string {
  const [hx, hy] = onCircle(hours * 30, 62, [0, -150]);
  const [mx, my] = onCircle((hours % 1) * 360, 92, [0, -150]);
  const marks = repeat(12, (index) => {
    const [x, y] = onCircle(index * 30, 106, [0, -150]);
    return disc(x, y, index % 3 === 0 ? 6 : 3.4, "#5d4a2e");
  });
  return (
    clockBody() +
    disc(0, -150, 126, "cream") +
    ring(0, -150, 126, "#5d4025", 4, { op: 0.6 }) +
    marks +
    line(`M0,-150L${hx},${hy}`, "#2a221b", 13) +
    line(`M0,-150L${mx},${my}`, "#2a221b", 8) +
    disc(0, -150, 10, "brass") +
    line("M-96,-214A116,116 0 0 1 -20,-264", "#ffffff", 8, { op: 0.35 })
  );
}

export function clockBack(): string {
  const screws = [-60, 60].map(
    (x) => disc(x, -206, 8, "#5d4025") + line(`M${x - 6},-210L${x + 6},-202`, ink.light, 2, { op: 0.5 }),
  );
  return (
    clockBody() +
    disc(0, -150, 124, "ochre") +
    ring(0, -150, 106, "#5d4025", 3, { op: 0.7 }) +
    screws.join("") +
    // The key that winds it.
    at(
      -4,
      -150,
      disc(0, 0, 18, "#4a3420") +
        shape("M-58,-16C-78,-22 -78,22 -58,16L-10,8V-8ZM58,-16C78,-22 78,22 58,16L10,8V-8Z", "brass") +
        disc(0, 0, 12, "brass"),
    ) +
    at(52, -92, disc(0, 0, 17, "#4a3420") + disc(0, 0, 12, "brass")) +
    at(-52, -92, disc(0, 0, 17, "#4a3420") + disc(0, 0, 12, "brass")) +
    line("M-100,-210A116,116 0 0 1 -20,-262", ink.light, 6, { op: 0.6 })
  );
}

function clockBody(): string {
  const bell = shape("M-58,0A58,52 0 0 1 58,0Z", "brass") + rim("M-46,-14A50,44 0 0 1 4,-48", 4, 0.7);
  return (
    footprint(150) +
    line("M-84,-44L-112,0M84,-44L112,0", "#80592b", 20) +
    line("M-60,-310A88,88 0 0 1 60,-310", "#a8752f", 12) +
    at(-84, -264, bell, { turn: -36 }) +
    at(84, -264, bell, { turn: 36 }) +
    box(-8, -316, 16, 34, "brass", { r: 6 }) +
    disc(0, -150, 148, "brass") +
    ring(0, -150, 146, "#5d4025", 3, { op: 0.5 })
  );
}

export function candle(): string {
  return (
    disc(0, -108, 240, "glow") +
    box(-26, -70, 52, 70, "cream", { r: 6 }) +
    oval(0, -70, 26, 6, "#fff1cc") +
    line("M0,-72V-84", "#2a221b", 4) +
    shape("M0,-132C18,-108 16,-84 0,-82C-16,-84 -18,-108 0,-132Z", "sun")
  );
}

export function steam(x: number, y: number, size = 1): string {
  return at(
    x,
    y,
    line("M-26,0C-52,-36 0,-62 -24,-104C-34,-122 -30,-140 -22,-152", ink.cream, 9, { op: 0.34, blur: 5 }) +
      line("M8,-4C-14,-44 34,-74 10,-122C2,-140 6,-160 14,-174", ink.cream, 10, { op: 0.4, blur: 5 }) +
      line("M40,0C22,-32 62,-58 44,-96", ink.cream, 8, { op: 0.3, blur: 5 }),
    { scale: size },
  );
}

export function mug({ cloth = "teal", drink = "#5a3a22" } = {}): string {
  return (
    footprint(110) +
    line("M92,-150C168,-164 172,-52 84,-46", cloth === "teal" ? "#2f5962" : "#8f6539", 24) +
    shape("M-100,-190H100C102,-120 96,-50 72,-14Q0,10 -72,-14C-96,-50 -102,-120 -100,-190Z", cloth) +
    oval(0, -190, 100, 22, "#1b2b31") +
    oval(0, -186, 90, 17, drink) +
    line("M-98,-188A100,22 0 0 1 98,-188", ink.light, 4, { op: 0.5 }) +
    line("M-76,-150C-76,-100 -70,-60 -56,-36", ink.cream, 7, { op: 0.3 }) +
    line("M-98,-120Q0,-98 98,-120M-94,-92Q0,-70 94,-92", ink.light, 4, { op: 0.35 })
  );
}

/** A glass of water. */
export function glass(ice = false): string {
  const cube =
    box(-26, -26, 52, 52, "#dff0ea", { r: 9, op: 0.5 }) + line("M-20,-20H18M-20,-20V14", "#ffffff", 3, { op: 0.7 });
  return (
    footprint(80) +
    shape("M-66,-150H66L56,-8Q0,8 -56,-8Z", "water") +
    (ice ? at(-18, -112, cube, { turn: 14 }) + at(24, -76, cube, { turn: -20, scale: 0.92 }) : "") +
    shape("M-74,-226H74L60,-4Q0,12 -60,-4Z", "glass") +
    oval(0, -150, 66, 12, "#b9d6cf", { op: 0.5 }) +
    line("M-74,-226A74,13 0 0 1 74,-226A74,13 0 0 1 -74,-226", ink.cream, 3, { op: 0.7 }) +
    line("M-58,-200L-48,-40", "#ffffff", 8, { op: 0.35 }) +
    line("M-60,-4Q0,12 60,-4", ink.light, 4, { op: 0.6 })
  );
}

export function book(w: number, h: number, cloth: string): string {
  return (
    box(-w / 2, -h, w, h, cloth, { r: 5 }) +
    box(w / 2 - 16, -h + 5, 22, h - 10, "linen") +
    line(`M${w / 2 - 12},${-h / 2}h16`, "#6d6d62", 2, { op: 0.6 }) +
    line(`M${-w / 2 + 22},${-h}v${h}`, ink.gold, 4, { op: 0.5 }) +
    rim(`M${-w / 2 + 4},${-h + 2}H${w / 2}`, 3, 0.5)
  );
}

/** About its middle; `marks` are drawn on its pages. */
export function openBook(marks = ""): string {
  return (
    oval(0, 176, 420, 26, "#0a0f14", { op: 0.55, blur: 12 }) +
    shape("M-412,-150Q-208,-196 0,-136Q208,-196 412,-150L440,168Q220,128 0,182Q-220,128 -440,168Z", "#5b3b24") +
    shape("M-396,-158Q-200,-204 0,-146V166Q-216,112 -420,152Z", "cream") +
    shape("M396,-158Q200,-204 0,-146V166Q216,112 420,152Z", "linen") +
    shape("M-60,-160Q-24,-156 0,-146V166Q-34,150 -64,142Z", "#6d5b3e", { op: 0.35, blur: 5 }) +
    shape("M60,-160Q24,-156 0,-146V166Q34,150 64,142Z", "#6d5b3e", { op: 0.4, blur: 5 }) +
    rim("M-396,-158Q-200,-204 0,-146Q200,-204 396,-158", 3, 0.8) +
    marks
  );
}

/** Its point is at the origin. */
export function pencil(): string {
  return (
    shape("M0,0L44,-15V15Z", "linen") +
    shape("M0,0L15,-5V5Z", "#2a221b") +
    box(44, -15, 240, 30, "ochre") +
    box(44, -15, 240, 10, ink.light, { op: 0.35 }) +
    box(284, -15, 18, 30, "steel") +
    box(302, -15, 30, 30, "clay", { r: 8 })
  );
}

export function pillow(w = 320, h = 130, cloth = "cream"): string {
  const [x, y] = [w / 2, h];
  return (
    shape(
      `M${-x},${-y * 0.1}C${-x * 1.08},${-y * 0.5} ${-x * 0.98},${-y * 0.9} ${-x * 0.86},${-y}C${-x * 0.4},${-y * 1.16} ${x * 0.4},${-y * 1.16} ${x * 0.86},${-y}C${x * 0.98},${-y * 0.9} ${x * 1.08},${-y * 0.5} ${x},${-y * 0.1}C${x * 0.5},${y * 0.06} ${-x * 0.5},${y * 0.06} ${-x},${-y * 0.1}Z`,
      cloth,
    ) +
    line(
      `M${-x * 0.8},${-y * 0.9}C${-x * 0.6},${-y * 0.72} ${-x * 0.5},${-y * 0.66} ${-x * 0.36},${-y * 0.62}M${x * 0.84},${-y * 0.22}C${x * 0.7},${-y * 0.36} ${x * 0.6},${-y * 0.4} ${x * 0.5},${-y * 0.42}`,
      "#6d6653",
      4,
      { op: 0.4 },
    ) +
    rim(`M${-x * 0.84},${-y}C${-x * 0.4},${-y * 1.15} ${x * 0.4},${-y * 1.15} ${x * 0.84},${-y}`, 3, 0.6)
  );
}

/** In profile, looking up and to the left; about the middle of the head. */
export function sleepingHead({ hair = "#3b2a20", isAwake = false } = {}): string {
  return (
    shape(
      "M-66,4C-70,-18 -62,-36 -46,-48C-20,-70 36,-70 62,-36C84,-4 72,44 36,58C12,66 -22,62 -40,50C-48,46 -46,40 -54,36C-62,34 -62,28 -58,24C-62,20 -62,16 -58,14C-64,12 -70,10 -66,4Z",
      "skin",
    ) +
    shape(
      "M-40,-54C-16,-82 48,-82 76,-38C98,0 82,52 40,64C54,40 46,18 26,6C6,0 -4,-18 -8,-34C-18,-36 -30,-42 -40,-54Z",
      hair,
    ) +
    line("M-30,-60C0,-76 46,-66 66,-34M14,-44C40,-30 54,-6 54,22", ink.amber, 3, { op: 0.35 }) +
    oval(14, 14, 10, 14, "#a8704f") +
    (isAwake
      ? oval(-38, -8, 7, 8, "#f3e9cb") + disc(-40, -8, 4.6, "#2a221b") + line("M-50,-22Q-38,-30 -28,-22", "#3b2a20", 4)
      : line("M-50,-6Q-40,4 -28,-2", "#3b2a20", 4)) +
    line("M-56,36Q-48,40 -42,38", "#7c4a3a", 3.4)
  );
}

/** About its middle, 150 high. */
export function face({ hair = "#3b2a20", isAwake = false } = {}): string {
  const eyes = isAwake
    ? [-26, 26].map((x) => oval(x, 6, 8, 9, "#f3e9cb") + disc(x, 7, 5.4, "#2a1d13")).join("") +
      line("M-38,-14Q-26,-22 -14,-16M14,-16Q26,-22 38,-14", "#4a3420", 5)
    : line("M-38,6Q-26,16 -14,6M14,6Q26,16 38,6", "#4a3420", 5);
  return (
    shape("M-82,10C-94,-70 -50,-104 0,-104C50,-104 94,-70 82,10C74,40 -74,40 -82,10Z", hair) +
    shape("M-66,-6C-66,-58 66,-58 66,-6C66,46 34,76 0,76C-34,76 -66,46 -66,-6Z", "skin") +
    shape("M-70,-8C-76,-70 -30,-88 4,-84C50,-84 78,-56 70,-8C58,-44 30,-52 -2,-50C-34,-50 -58,-38 -70,-8Z", hair) +
    eyes +
    oval(0, 26, 7, 6, "#a8704f", { op: 0.8 }) +
    line(isAwake ? "M-14,48Q0,44 14,48" : "M-12,46Q0,54 12,46", "#7c4a3a", 4) +
    disc(-42, 30, 13, "#c98a72", { op: 0.25 }) +
    disc(42, 30, 13, "#c98a72", { op: 0.25 }) +
    line("M-64,-66C-40,-96 30,-98 58,-72", ink.amber, 3, { op: 0.4 })
  );
}

/** 820 long, the head to the left. `lying` is drawn on the pillow, under the cover. */
export function bedFromSide({ cloth = "teal", lying = "", isFilled = true } = {}): string {
  const hump = isFilled
    ? "M-190,-146C-150,-214 -80,-226 0,-206C90,-186 190,-190 260,-206C300,-216 340,-206 356,-180L380,-60H-220C-230,-100 -214,-132 -190,-146Z"
    : "M-190,-146C-90,-166 60,-160 180,-158C260,-158 330,-160 360,-146L380,-60H-220C-230,-100 -214,-132 -190,-146Z";
  return (
    oval(0, 6, 470, 26, "#070b10", { op: 0.6, blur: 12 }) +
    shape("M-430,0V-300C-430,-322 -392,-322 -390,-300V0Z", "woodside") +
    shape("M-396,-250C-350,-290 -310,-270 -306,-230V-60H-396Z", "wood") +
    shape("M392,0V-210C392,-230 428,-230 430,-210V0Z", "woodside") +
    rim("M-428,-10V-300C-428,-320 -394,-320 -392,-300M394,-206C396,-228 426,-228 428,-208", 3, 0.5) +
    box(-400, -118, 800, 70, "#1a2327", { r: 14 }) +
    box(-398, -130, 796, 46, "linen", { r: 20 }) +
    at(-290, -116, pillow(210, 104), { turn: -10 }) +
    lying +
    shape(hump, cloth) +
    within(hump, quilt()) +
    shape(
      "M-190,-146C-150,-214 -110,-222 -76,-220C-104,-180 -112,-110 -104,-60H-220C-230,-100 -214,-132 -190,-146Z",
      "linen",
      { op: 0.95 },
    ) +
    rim(
      isFilled
        ? "M-184,-152C-150,-212 -80,-224 0,-204C90,-184 190,-188 260,-204C300,-214 338,-204 354,-180"
        : "M-186,-148C-90,-166 60,-160 180,-158C260,-158 330,-160 358,-147",
      3,
      0.7,
    ) +
    box(-396, -62, 792, 22, "#2a221b", { r: 6 })
  );
}

function quilt(): string {
  return line(
    "M-60,-214C-84,-160 -80,-100 -70,-56M40,-200C20,-150 26,-100 34,-56M150,-192C136,-150 140,-100 146,-56M260,-206C252,-150 256,-100 262,-56",
    "#0d1a21",
    10,
    { op: 0.28, blur: 5 },
  );
}

/** 760 wide; `right` and `left` are drawn above the cover. */
export function bedFromFoot({ left = "", right = "", covers = "" } = {}): string {
  return (
    shape("M-400,0V-330C-400,-380 -330,-396 0,-396C330,-396 400,-380 400,-330V0Z", "wood") +
    shape("M-360,-40V-316C-360,-346 -300,-358 0,-358C300,-358 360,-346 360,-316V-40Z", "#3a2b20") +
    rim("M-398,-20V-330C-398,-378 -330,-394 0,-394C330,-394 398,-378 398,-330", 3, 0.55) +
    at(-178, -150, pillow(300, 130)) +
    at(178, -150, pillow(300, 130, "linen")) +
    left +
    right +
    covers
  );
}

/** Face down, or with its screen lit. */
export function phone(isLit = false): string {
  return (
    footprint(60) +
    box(-48, -196, 96, 192, "#0b1016", { r: 14 }) +
    box(-42, -188, 84, 176, isLit ? "teal" : "#16232c", { r: 9 }) +
    line("M-44,-186L-44,-20", ink.light, 2.4, { op: 0.4 })
  );
}

/** The origin is on its top. */
export function nightstand(w = 420): string {
  return (
    box(-w / 2 - 16, 0, w + 32, 24, "wood", { r: 4 }) +
    box(-w / 2, 24, w, 300, "woodside") +
    box(-w / 2 + 26, 48, w - 52, 96, "#4a3420", { r: 4 }) +
    disc(0, 96, 13, "brass") +
    box(-w / 2 + 26, 164, w - 52, 140, "#3a2b20", { r: 4 }) +
    rim(`M${-w / 2 - 14},2H${w / 2 + 14}`, 4, 0.75) +
    rim(`M${-w / 2 + 28},50H${w / 2 - 28}`, 2, 0.3)
  );
}

/** About its middle. */
export function eyeMask(): string {
  const d =
    "M-250,-60C-130,-110 130,-110 250,-60C276,40 196,96 116,84C66,76 46,36 0,32C-46,36 -66,76 -116,84C-196,96 -276,40 -250,-60Z";
  return (
    line("M-246,-30C-330,-40 -420,10 -452,70M246,-30C330,-40 420,10 452,70", "#1d3a44", 26) +
    shape(d, "teal") +
    line(
      "M-234,-50C-120,-92 120,-92 234,-50C254,26 190,78 118,68C70,60 48,20 0,16C-48,20 -70,60 -118,68C-190,78 -254,26 -234,-50Z",
      ink.light,
      2.6,
      { op: 0.45 },
    ) +
    line("M-176,-6Q-124,44 -70,0M70,0Q124,44 176,-6", ink.cream, 8, { op: 0.85 }) +
    repeat(3, (index) =>
      line(
        `M${-160 + index * 36},${round(14 + Math.sin(index + 0.6) * 8)}l${-8 + index * 8},22M${88 + index * 36},${round(14 + Math.sin(index + 0.6) * 8)}l${-8 + index * 8},22`,
        ink.cream,
        5,
        { op: 0.8 },
      ),
    )
  );
}

/** With a blanket over its arm, 440 wide. */
export function armchair(): string {
  return (
    oval(0, 6, 270, 22, "#070b10", { op: 0.6, blur: 12 }) +
    box(-170, -30, 26, 34, "#2a221b") +
    box(144, -30, 26, 34, "#2a221b") +
    shape("M-180,-120C-206,-330 -150,-420 0,-420C150,-420 206,-330 180,-120Z", "teal") +
    line(
      "M-110,-300C-60,-330 60,-330 110,-300M-60,-380C-70,-280 -70,-220 -66,-170M60,-380C70,-280 70,-220 66,-170",
      "#0d1a21",
      8,
      { op: 0.3, blur: 2 },
    ) +
    shape("M-150,-170C-150,-206 150,-206 150,-170V-40H-150Z", "moss") +
    shape("M-236,-200C-236,-252 -150,-252 -146,-200V-26H-222C-232,-70 -236,-140 -236,-200Z", "teal") +
    shape("M236,-200C236,-252 150,-252 146,-200V-26H222C232,-70 236,-140 236,-200Z", "deep") +
    box(-150, -66, 300, 40, "deep") +
    rim(
      "M-178,-150C-198,-330 -146,-418 0,-418C140,-418 190,-340 182,-220M-234,-196C-234,-250 -152,-250 -148,-200",
      3,
      0.6,
    ) +
    shape("M118,-232C160,-258 220,-256 240,-222L256,-40C230,-28 190,-30 170,-44L160,-190Z", "ochre") +
    line("M176,-46l-2,24M196,-38l0,24M216,-36l2,24M236,-40l4,24", ink.amber, 4, { op: 0.8 }) +
    line("M164,-150L250,-142M168,-96L254,-88", ink.cream, 5, { op: 0.35 })
  );
}
