import {
  alarmClock,
  bedFromFoot,
  bedFromSide,
  book,
  eyeMask,
  face,
  glass,
  lamp,
  mug,
  nightstand,
  openBook,
  pencil,
  phone,
  pillow,
  sleepingHead,
  steam,
} from "./bedroom.ts";
import { calendar, cpapMachine, foldingFan, hose, pillBottle, plane, tablet, teddy, thermometer } from "./objects.ts";
import { at, box, chance, disc, ink, line, oval, picture, repeat, rim, round, shape, within } from "./paint.ts";
import {
  cloud,
  country,
  curtain,
  floor,
  hills,
  meadow,
  nightSky,
  rail,
  room,
  table,
  tree,
  waves,
  window,
} from "./places.ts";

/** A page of writing as lines, without words. */
function writing(x: number, y: number, widths: number[], colour = "#5d6a6a"): string {
  return widths
    .map((w, index) => {
      const level = y + index * 44;
      const d = `M${x},${level}q${w * 0.12},-11 ${w * 0.25},0t${w * 0.25},0t${w * 0.25},0t${w * 0.25},0`;
      return line(d, colour, 7, { op: 0.75 });
    })
    .join("");
}

function cantGetToSleep(): string {
  const awake = at(-286, -226, sleepingHead({ isAwake: true }), { turn: 8, scale: 0.95 });
  return picture(
    room([1130, 380, 420]),
    window(520, 210, 300, 270, nightSky({ seed: 11, crescentAt: [592, 150, 36] })),
    floor(636),
    at(1150, 640, at(0, -60, lamp(), { scale: 0.9 }) + at(0, -60, nightstand(200), { scale: 0.9 })),
    at(540, 668, bedFromSide({ lying: awake })),
  );
}

function worryList(): string {
  return picture(
    room([1010, 120, 620]),
    table(330),
    at(1080, 350, lamp(), { scale: 0.9 }),
    at(
      520,
      470,
      openBook(
        writing(-350, -90, [240, 280, 200, 250]) +
          writing(70, -90, [260, 190]) +
          line("M-378,-100l10,12l18,-30M-378,-56l10,12l18,-30", ink.clay, 7),
      ),
    ),
    at(640, 486, pencil(), { turn: 24 }),
    at(170, 330, mug({ cloth: "clay" }), { scale: 0.7 }),
  );
}

function wakingAtThree(): string {
  return picture(
    room([640, 430, 620]),
    window(640, 250, 900, 420, nightSky({ seed: 21, moonAt: [330, 190, 62] }) + hills(440, 70, "#1d3a42", 5)),
    table(560),
    at(640, 606, alarmClock(3), { scale: 1.42 }),
  );
}

function upToTheBathroom(): string {
  const [l, t, r] = [560, 96, 850];
  return picture(
    box(0, 0, 1280, 720, "wall"),
    floor(590),
    box(l - 34, t - 34, r - l + 68, 540, "#2b2119"),
    box(l, t, r - l, 494, "#f3cf85"),
    disc(700, 340, 320, "glow"),
    // Light falls on tiles, a basin and its mirror.
    box(l, 380, r - l, 210, "#c99a5c", { op: 0.55 }),
    line(
      repeat(4, (index) => `M${l},${400 + index * 50}H${r}`) + repeat(5, (index) => `M${l + 40 + index * 60},380V590`),
      "#a87a45",
      3,
      { op: 0.5 },
    ),
    disc(762, 246, 62, "#fff1cc"),
    disc(762, 246, 54, "#d9c08c"),
    shape("M690,366H836C832,410 800,430 764,430C728,430 694,410 690,366Z", "cream"),
    box(750, 428, 28, 162, "linen"),
    line("M764,366V338h22", "steel", 8),
    shape(`M${l},${t}L${l - 230},${t + 30}V640L${l},590Z`, "woodside"),
    shape(
      `M${l - 40},${t + 50}L${l - 190},${t + 66}V300L${l - 40},292ZM${l - 40},350L${l - 190},364V570L${l - 40},548Z`,
      "#3a2b20",
      { op: 0.7 },
    ),
    disc(l - 196, 352, 13, "brass"),
    rim(`M${l},${t}V590M${l},590L${l - 230},640`, 4, 0.7),
    shape(`M${l},590H${r}L1100,760H420Z`, "ray"),
    // Slippers, easy to find in the dark.
    at(960, 640, slipper()),
    at(1060, 662, slipper()),
  );
}

function slipper(): string {
  return (
    oval(0, 10, 90, 14, "#0a0f14", { op: 0.6, blur: 5 }) +
    shape("M-84,4C-92,-30 -40,-44 10,-40C70,-36 92,-20 86,4C60,16 -60,16 -84,4Z", "moss") +
    oval(40, -22, 36, 14, "#12191d") +
    rim("M-78,-12C-60,-38 -20,-44 10,-40", 4, 0.6)
  );
}

function howCool(): string {
  return picture(
    room([1090, 520, 500]),
    window(560, 300, 620, 430, country({ seed: 33, moonAt: [380, 170, 52] }, 400) + snowfall(5)),
    rail(180, 64, 760),
    curtain(196, 66, 130, 500, { swell: -30 }),
    curtain(800, 66, 130, 500, { swell: 46 }),
    table(630),
    at(1075, 350, thermometer(0.36), { scale: 1.12 }),
  );
}

function snowfall(seed: number): string {
  const next = chance(seed);
  return repeat(60, () =>
    disc(round(200 + next() * 760), round(80 + next() * 440), round(1.6 + next() * 3), ink.cream, { op: 0.6 }),
  );
}

function beddingBySeason(): string {
  const cloths = ["teal", "ochre", "linen", "moss", "clay"];
  const stack = cloths.map((cloth, index) => {
    const y = 590 - index * 76;
    const w = 520 - (index % 2) * 36;
    const fold = `M${640 - w / 2},${y - 34}C${640 - w / 2 - 8},${y - 74} ${640 - w / 2 + 20},${y - 78} ${640 - w / 2 + 60},${y - 76}H${640 + w / 2 - 30}C${640 + w / 2 + 8},${y - 76} ${640 + w / 2 + 8},${y} ${640 + w / 2 - 30},${y}H${640 - w / 2 + 60}C${640 - w / 2 + 10},${y} ${640 - w / 2 - 4},${y - 10} ${640 - w / 2},${y - 34}Z`;
    return (
      shape(fold, cloth) +
      line(`M${640 - w / 2 + 40},${y - 38}H${640 + w / 2 - 6}`, "#0d1a21", 7, { op: 0.35, blur: 2 }) +
      (index === 1
        ? line(
            repeat(9, (stripe) => `M${420 + stripe * 54},${y - 72}v66`),
            ink.cream,
            6,
            { op: 0.3 },
          )
        : "") +
      rim(`M${640 - w / 2 + 40},${y - 75}H${640 + w / 2 - 30}`, 3, 0.6)
    );
  });
  return picture(
    room([980, 230, 560]),
    table(590),
    oval(640, 598, 300, 16, "#0a0f14", { op: 0.6, blur: 12 }),
    ...stack,
    at(640, 216, pillow(400, 120)),
    at(1090, 590, lamp()),
    at(210, 590, vase()),
  );
}

function vase(): string {
  const twigs = [-50, -14, 26, 66].map((x, index) => {
    const top = -300 - index * 26;
    return (
      line(`M0,-130Q${x * 0.4},-220 ${x},${top}`, "#5d6b4a", 5) +
      repeat(5, (leaf) => {
        const t = 0.35 + leaf * 0.15;
        return oval(round(x * t * t), round(-130 + (top + 130) * t), 22, 9, leaf % 2 === 0 ? "moss" : "ochre", {
          turn: `rotate(${leaf % 2 === 0 ? 32 : -36} ${round(x * t * t)} ${round(-130 + (top + 130) * t)})`,
        });
      })
    );
  });
  return (
    oval(0, 2, 70, 10, "#0a0f14", { op: 0.5, blur: 5 }) +
    twigs.join("") +
    shape("M-30,-140H30C26,-116 70,-96 66,-44C64,-8 40,4 0,4C-40,4 -64,-8 -66,-44C-70,-96 -26,-116 -30,-140Z", "clay") +
    rim("M-28,-138H28M-46,-90C-62,-70 -62,-40 -52,-20", 4, 0.55)
  );
}

/** The sleeper is in the upper half: the words of a guide's card cover the lower one. */
function snoring(): string {
  return picture(
    room([950, 320, 640]),
    floor(606),
    window(950, 152, 320, 226, nightSky({ seed: 43, crescentAt: [872, 96, 36] })),
    at(770, 640, bedFromSide({ cloth: "ochre", lying: at(-280, -220, sleepingHead(), { turn: 12, scale: 0.98 }) }), {
      scale: 1.5,
    }),
    waves(262, 304, 4, { from: 60, step: 52, turn: 222, spread: 80 }),
  );
}

function whenApnoea(): string {
  // A breath, a breath, a pause, and a breath.
  const breath =
    "M60,210C110,210 120,90 170,90C220,90 220,290 270,290C320,290 320,90 370,90C420,90 420,210 480,210H760C810,210 812,60 862,60C912,60 912,300 962,300C1012,300 1012,110 1062,110C1112,110 1130,210 1220,210";
  return picture(
    nightSky({ seed: 48 }),
    hills(470, 50, "#20404a", 7),
    line(breath, ink.light, 22, { op: 0.22, blur: 12 }),
    line(breath, ink.light, 9),
    line("M500,210H740", "#0d1420", 5, { op: 0.75 }),
    disc(480, 210, 13, ink.light),
    disc(760, 210, 13, ink.light),
    box(0, 560, 1280, 180, "linen"),
    shape("M0,560Q640,530 1280,560V600Q640,570 0,600Z", "#8f8768", { op: 0.5 }),
    at(470, 590, pillow(560, 150)),
    at(470, 460, sleepingHead(), { turn: 26, scale: 1.5 }),
    shape("M560,560C620,460 800,430 960,440C1120,450 1220,480 1300,500V740H540C520,660 530,600 560,560Z", "teal"),
    rim("M562,556C622,460 800,430 960,440C1120,450 1220,480 1300,500", 4, 0.6),
  );
}

function firstMonthWithCpap(): string {
  return picture(
    room([300, 250, 600]),
    window(980, 220, 300, 270, nightSky({ seed: 61, crescentAt: [1054, 158, 36] })),
    table(540),
    at(250, 560, lamp(), { scale: 1.1 }),
    hose("M800,470C960,380 1010,540 1080,600C1130,650 1000,690 900,660"),
    at(600, 590, cpapMachine(), { scale: 1.3 }),
    at(
      880,
      660,
      oval(0, 0, 74, 46, "#2f464e") +
        oval(-6, -10, 66, 40, "#cfdcd2") +
        oval(-6, -6, 44, 26, "steel") +
        rim("M-68,-18C-50,-52 30,-54 54,-22", 4, 0.8),
    ),
  );
}

function hotFlushes(): string {
  return picture(
    room([430, 300, 660]),
    disc(430, 330, 520, "#a3472f", { op: 0.16, blur: 30 }),
    window(1010, 210, 320, 260, nightSky({ seed: 71, crescentAt: [1088, 150, 38] })),
    table(530),
    at(500, 560, foldingFan(), { scale: 1.28, turn: -6 }),
    at(900, 600, glass(true), { scale: 1.34 }),
  );
}

function teaAndCoffee(): string {
  return picture(
    box(0, 0, 1280, 720, "wall"),
    window(
      640,
      230,
      1000,
      380,
      box(0, 0, 1280, 720, "dawn") +
        disc(860, 300, 260, "glow") +
        disc(860, 300, 56, "sun") +
        hills(400, 60, "#5a6a52", 9) +
        hills(440, 50, "#3a5348", 10),
    ),
    disc(800, 400, 620, "glow", { op: 0.6 }),
    table(520),
    at(420, 610, teapot(), { scale: 1.1 }),
    at(860, 616, mug({ drink: "#6b3f22" }), { scale: 1.25 }),
    steam(856, 366, 1.25),
  );
}

function teapot(): string {
  return (
    oval(0, 2, 190, 18, "#0a0f14", { op: 0.55, blur: 5 }) +
    line("M150,-190C250,-230 270,-90 150,-80", "#5d4025", 24) +
    shape("M-130,-70C-220,-90 -200,-190 -262,-206L-226,-232C-160,-214 -170,-150 -110,-140Z", "ochre") +
    shape("M-168,-128C-168,-236 168,-236 168,-128C168,-30 110,0 0,0C-110,0 -168,-30 -168,-128Z", "ochre") +
    shape("M-92,-212C-80,-250 80,-250 92,-212Q0,-194 -92,-212Z", "clay") +
    disc(0, -254, 18, "brass") +
    rim("M-150,-160C-130,-216 -50,-214 0,-212", 5, 0.7) +
    line("M-164,-104Q0,-70 164,-104", ink.cream, 6, { op: 0.3 })
  );
}

function menopauseYears(): string {
  const next = chance(81);
  const leaves = repeat(30, () => {
    const [x, y] = [120 + next() * 1040, 120 + next() * 560];
    return at(
      round(x),
      round(y),
      shape("M0,-16C14,-6 12,12 0,18C-12,12 -14,-6 0,-16Z", next() > 0.5 ? "ochre" : "clay", { op: 0.85 }),
      { turn: round(next() * 180) },
    );
  });
  return picture(country({ seed: 82, moonAt: [900, 190, 84] }, 480), at(470, 668, autumnTree()), leaves, meadow(83));
}

function autumnTree(): string {
  const next = chance(84);
  const crown = (count: number, colour: string, dx: number, dy: number, size: number) =>
    repeat(count, () => {
      const angle = next() * Math.PI * 2;
      const far = Math.sqrt(next());
      return disc(
        round(dx + Math.cos(angle) * far * 210),
        round(dy + Math.sin(angle) * far * 150),
        round(size * (0.6 + next() * 0.7)),
        colour,
      );
    });
  return (
    line(
      "M0,-180C-30,-250 -110,-280 -150,-330M0,-200C20,-290 70,-320 120,-370M0,-160C-6,-260 -20,-330 -10,-400M0,-150C60,-210 110,-230 170,-250",
      "#2a1d15",
      17,
    ) +
    shape("M-44,10C-20,-60 -26,-140 -12,-200H16C22,-140 22,-60 50,10Z", "#2a1d15") +
    crown(40, "#5b4028", 0, -350, 46) +
    crown(34, "#8a5a34", 10, -360, 36) +
    crown(26, "#b87b40", 50, -380, 24) +
    crown(14, "#e0ab5e", 90, -410, 15)
  );
}

function sleepByDay(): string {
  return picture(
    box(0, 0, 1280, 720, "wall"),
    shape("M1280,0L860,0L140,720L760,720Z", ink.light, { op: 0.16 }),
    shape("M1200,0L1040,0L420,720L640,720Z", ink.light, { op: 0.16 }),
    at(640, 700, pillow(1060, 460)),
    at(640, 430, eyeMask(), { scale: 1.16, turn: -5 }),
    shape("M1200,0L1060,0L520,720L640,720Z", ink.light, { op: 0.1 }),
  );
}

function shiftsChange(): string {
  const sunAndMoon =
    disc(-104, 48, 66, "sun") +
    repeat(12, (index) => line("M0,-84V-104", ink.amber, 9, { turn: `translate(-104 48) rotate(${index * 30})` })) +
    at(112, 44, disc(0, 0, 96, "#1d3a44") + shape("M14,-66a68,68 0 1 0 52,98a56,56 0 0 1 -52,-98Z", "moon")) +
    line("M-8,-100V180", "#8f8768", 4, { op: 0.6 });
  return picture(
    room([640, 300, 760]),
    at(640, 370, calendar(sunAndMoon), { scale: 1.34, turn: -3 }),
    disc(640, 60, 12, "brass"),
  );
}

function naps(): string {
  const cloth = "M300,330C420,560 860,560 980,330C900,640 380,640 300,330Z";
  return picture(
    box(0, 0, 1280, 720, "dawn"),
    disc(640, 430, 460, "glow"),
    disc(640, 440, 70, "sun"),
    hills(500, 60, "#54684f", 31),
    hills(560, 50, "#37503f", 32),
    hills(640, 40, "#1f332f", 33),
    at(220, 690, tree("#1d2f2b", 34), { scale: 2.1 }),
    at(1070, 690, tree("#182925", 35), { scale: 2.3 }),
    line("M226,300L300,332M1054,300L980,332", "#d9c08c", 5),
    shape("M470,470C520,420 760,420 820,462C800,560 500,560 470,470Z", "cream"),
    shape(cloth, "clay"),
    within(
      cloth,
      repeat(7, (index) => line(`M${340 + index * 100},330L${360 + index * 92},640`, ink.cream, 13, { op: 0.3 })),
    ),
    rim("M300,330C420,560 860,560 980,330", 5, 0.75),
    meadow(36, 700, "#101d1c"),
  );
}

function jetLag(): string {
  const trail = "M-40,660C240,640 420,540 560,420";
  return picture(
    nightSky({ seed: 91, moonAt: [760, 300, 190] }),
    line(trail, ink.cream, 16, { op: 0.2, blur: 5 }),
    line(trail, ink.cream, 5, { op: 0.55 }),
    at(740, 320, plane(), { scale: 1.12, turn: -24 }),
    cloud(240, 560, 360, 0.7),
    cloud(900, 620, 460, 0.8),
    cloud(520, 690, 420, 0.6),
  );
}

function melatonin(): string {
  return picture(
    room([880, 260, 640]),
    window(300, 230, 340, 300, nightSky({ seed: 101, crescentAt: [382, 158, 44] })),
    table(520),
    at(700, 596, pillBottle(), { scale: 1.36 }),
    at(960, 628, tablet(), { scale: 1.2 }),
    at(1070, 596, tablet(), { scale: 1.05 }),
    at(420, 590, glass(), { scale: 1 }),
  );
}

function toddlerWakes(): string {
  return picture(
    box(0, 0, 1280, 720, "wall"),
    floor(560),
    shape("M880,0H1280V620L900,562Z", "#f3cf85", { op: 0.9 }),
    disc(1080, 300, 460, "glow"),
    box(868, 0, 26, 566, "woodside"),
    shape("M894,562L1280,620V760H300Z", "ray"),
    at(1090, 590, child(), { scale: 1.05 }),
    at(520, 640, teddy(), { scale: 1.24 }),
  );
}

function child(): string {
  return (
    shape("M-70,0C-76,-120 -60,-200 -50,-220H50C60,-200 76,-120 70,0H16L6,-80H-6L-16,0Z", "#2b4b52") +
    shape(
      "M-50,-216C-86,-180 -96,-130 -92,-96L-66,-94L-50,-150ZM50,-216C86,-180 96,-130 92,-96L66,-94L50,-150Z",
      "#35575a",
    ) +
    at(0, -276, face({ hair: "#4a3420", isAwake: true }), { scale: 0.96 }) +
    repeat(3, (index) => disc(0, -188 + index * 40, 6, ink.gold)) +
    rim("M52,-214C84,-180 96,-130 92,-98", 4, 0.8)
  );
}

function restlessSleeper(): string {
  const still = at(-178, -248, face({ hair: "#2a1d15" }), { scale: 0.84, turn: -7 });
  const covers =
    shape("M-380,-30C-400,-150 -330,-220 -190,-214C-90,-212 -20,-190 0,-160V-30Z", "teal") +
    line(
      "M-320,-170C-300,-120 -310,-70 -320,-34M-180,-206C-170,-140 -180,-80 -186,-34M-70,-190C-60,-130 -66,-80 -70,-34",
      "#0d1a21",
      10,
      { op: 0.28, blur: 5 },
    ) +
    rim("M-376,-60C-386,-160 -320,-218 -190,-212C-90,-210 -20,-190 0,-160", 4, 0.6) +
    // The other half of the bed is crumpled.
    shape("M6,-30C-10,-150 60,-170 110,-150C130,-240 250,-230 250,-160C300,-210 400,-150 384,-30Z", "clay") +
    line(
      "M60,-130C110,-60 190,-150 220,-60M180,-200C150,-140 260,-120 300,-60M260,-160C260,-110 330,-100 350,-50M90,-90C120,-40 140,-60 160,-34",
      "#4a2b22",
      9,
      { op: 0.5, blur: 2 },
    ) +
    rim("M20,-100C30,-160 70,-166 110,-150C130,-238 250,-228 250,-160C296,-204 372,-170 382,-90", 4, 0.65) +
    box(-400, -34, 800, 34, "wood", { r: 8 });
  return picture(
    room([640, 190, 680]),
    floor(630),
    at(
      640,
      690,
      bedFromFoot({
        left: still,
        right: at(200, -256, face({ hair: "#8a5a34", isAwake: true }), { scale: 0.84, turn: 12 }),
        covers,
      }),
      { scale: 1.34 },
    ),
  );
}

function withinReach(): string {
  return picture(
    room([420, 260, 600]),
    window(1010, 180, 300, 250, nightSky({ seed: 121, crescentAt: [1082, 126, 36] })),
    at(640, 560, nightstand(960)),
    at(360, 562, lamp(), { scale: 1.3 }),
    at(620, 562, book(250, 44, "teal") + at(8, -44, book(220, 38, "clay")) + at(-6, -82, book(230, 40, "moss"))),
    at(620, 440, mug({ cloth: "ochre" }), { scale: 0.66 }),
    at(830, 562, alarmClock(10.15), { scale: 0.62 }),
    at(1010, 562, glass(), { scale: 0.8 }),
    at(210, 566, phone(true), { scale: 0.92, turn: -5 }),
  );
}

function sleepDiary(): string {
  const [top, step] = [-118, 34];
  const rows = repeat(7, (index) => {
    const y = top + index * step;
    const next = chance(130 + index);
    const start = 36 + next() * 50;
    const width = 150 + next() * 110;
    return (
      box(-372, y - 10, 30, 18, "moss", { r: 6 }) +
      box(round(-330 + start * 0.5), y - 10, round(width), 20, "teal", { r: 8 }) +
      box(round(60 + start), y - 10, round(width * 0.9), 20, index === 2 ? "clay" : "teal", { r: 8 })
    );
  });
  return picture(
    box(0, 0, 1280, 720, "dawn"),
    disc(1000, 120, 520, "glow"),
    disc(1000, 130, 60, "sun"),
    hills(300, 40, "#5a6a52", 131),
    table(300),
    at(600, 480, openBook(rows), { scale: 1.16 }),
    at(700, 560, pencil(), { turn: -16 }),
    at(1120, 400, mug({ cloth: "clay" }), { scale: 0.8 }),
    steam(1116, 240, 0.8),
  );
}

function restlessLegs(): string {
  const foot = shape(
    "M-40,150C-40,60 -44,20 -44,-40C-44,-90 -52,-110 -40,-130C-24,-154 30,-152 44,-124C56,-80 46,-30 42,20C38,70 40,110 40,150Z",
    "skin",
  );
  const toes = [-36, -10, 12, 30, 45]
    .map((x, index) =>
      oval(x, -132 + index * 6 - (index === 0 ? 6 : 0), index === 0 ? 21 : 13, index === 0 ? 26 : 18, "skin"),
    )
    .join("");
  const whole =
    foot + toes + line("M-36,-78C-18,-54 20,-54 42,-80M-20,70C-8,62 10,62 22,70", "#8a5a44", 4, { op: 0.4 });
  return picture(
    room([640, 260, 700]),
    box(0, 110, 1280, 30, "wood"),
    box(80, 110, 34, 640, "woodside"),
    box(1166, 110, 34, 640, "woodside"),
    rim("M0,112H1280", 4, 0.5),
    at(520, 380, whole, { turn: -12, scale: 1.4 }),
    at(790, 372, whole, { turn: 14, scale: 1.4, flip: true }),
    line(
      "M330,250C300,290 360,320 330,370M270,270C244,304 296,330 270,364M976,240C1006,280 946,310 976,360M1038,262C1064,296 1012,322 1038,356",
      ink.light,
      9,
      { op: 0.75 },
    ),
    shape("M40,760C60,560 260,470 420,500C520,460 700,520 760,490C900,450 1180,520 1240,760Z", "teal"),
    line(
      "M300,520C330,600 320,680 300,740M560,510C570,600 560,680 550,740M860,490C850,590 880,680 890,740M1080,540C1070,620 1090,690 1100,740",
      "#0d1a21",
      13,
      { op: 0.28, blur: 5 },
    ),
    rim("M60,700C100,550 270,472 420,500C520,460 700,520 760,490C900,452 1160,520 1226,700", 4, 0.65),
  );
}

export const articleCovers: Record<string, () => string> = {
  "the-first-hour-awake": cantGetToSleep,
  "a-worry-list": worryList,
  "waking-at-three": wakingAtThree,
  "the-bathroom-light": upToTheBathroom,
  "a-cool-bedroom": howCool,
  "blankets-by-season": beddingBySeason,
  snoring: snoring,
  "a-breath-that-stops": whenApnoea,
  "a-cpap-machine": firstMonthWithCpap,
  "a-fan-and-iced-water": hotFlushes,
  "tea-in-the-afternoon": teaAndCoffee,
  "an-autumn-tree": menopauseYears,
  "a-mask-by-day": sleepByDay,
  "sun-and-moon-on-a-rota": shiftsChange,
  "a-hammock": naps,
  "a-plane-by-the-moon": jetLag,
  "a-bottle-of-melatonin": melatonin,
  "a-bear-in-the-doorway": toddlerWakes,
  "two-in-a-bed": restlessSleeper,
  "within-reach-of-the-bed": withinReach,
  "a-sleep-diary": sleepDiary,
  "restless-feet": restlessLegs,
};
