/** The pictures of Awake now's pieces in search results, by file name. */
import { book, candle, face, footprint, lamp, mug, openBook, pillow, steam } from "./bedroom.ts";
import {
  at,
  box,
  chance,
  disc,
  HEIGHT,
  ink,
  line,
  oval,
  picture,
  repeat,
  rim,
  round,
  shape,
  WIDTH,
  within,
} from "./paint.ts";
import {
  cloud,
  country,
  drops,
  floor,
  hills,
  meadow,
  nightSky,
  rain,
  room,
  table,
  tree,
  waves,
  window,
} from "./places.ts";

/** From `y` down, with reflections of lights above. */
function water(y: number, lightsAt: number[], seed: number): string {
  const next = chance(seed);
  const glints = lightsAt.map((x) =>
    repeat(12, (index) => {
      const w = 14 + next() * 34;
      return line(`M${round(x - w)},${y + 18 + index * 22}h${round(w * 2)}`, ink.light, 4, {
        op: round(0.55 - index * 0.04),
      });
    }),
  );
  return box(0, y, WIDTH, HEIGHT - y, "sea") + glints.join("");
}

function boat({ sail = false } = {}): string {
  return (
    (sail
      ? line("M0,-30V-260", "#8a6a3c", 9) +
        shape("M10,-250C90,-190 110,-120 110,-60H10Z", "linen", { op: 0.85 }) +
        rim("M10,-250C90,-190 110,-120 110,-60", 3, 0.6)
      : "") +
    shape("M-150,-40C-60,-24 60,-24 160,-48C140,10 80,24 0,24C-80,24 -130,10 -150,-40Z", "woodside") +
    rim("M-148,-40C-60,-24 60,-24 158,-48", 4, 0.7)
  );
}

function harbour(): string {
  const lampPost = (x: number) =>
    line(`M${x},470V300`, "#14232b", 9) + disc(x, 290, 110, "glow") + disc(x, 292, 13, ink.light);
  return picture(
    nightSky({ seed: 501 }),
    hills(420, 50, "#20404a", 502),
    ...[120, 250, 390].map(
      (x, index) =>
        box(x, 330 - index * 26, 120, 150 + index * 26, "#223c45") +
        shape(
          `M${x - 10},${332 - index * 26}L${x + 60},${270 - index * 26}L${x + 130},${332 - index * 26}Z`,
          "#14232b",
        ) +
        box(x + 44, 370 - index * 20, 32, 36, "shade"),
    ),
    box(0, 466, 640, 40, "#2b3c42"),
    water(500, [300, 560, 820], 503),
    lampPost(300),
    lampPost(560),
    at(860, 560, boat({ sail: true }), { scale: 1.2 }),
    at(1100, 640, boat(), { scale: 0.9 }),
  );
}

function kitchen(): string {
  return picture(
    room([640, 240, 640]),
    window(900, 220, 380, 300, box(0, 0, WIDTH, HEIGHT, "dawn") + hills(330, 40, "#3b5358", 511)),
    table(520),
    at(380, 540, kettle(), { scale: 1.2 }),
    at(760, 590, mug({ cloth: "ochre" }), { scale: 0.9 }),
    at(
      1040,
      570,
      box(-120, -30, 240, 34, "linen", { r: 16 }) +
        oval(0, -34, 106, 46, "fur") +
        line("M-60,-54l20,-20M-14,-66l20,-20M36,-62l18,-18", "#5f4228", 6, { op: 0.6 }) +
        rim("M-96,-50C-60,-84 60,-84 96,-50", 4, 0.6),
    ),
  );
}

function kettle(): string {
  return (
    footprint(150) +
    line("M-96,-210C-80,-330 80,-330 96,-210", "#2a221b", 17) +
    shape("M120,-120C180,-150 190,-190 230,-210L246,-184C214,-160 204,-100 130,-60Z", "steel") +
    shape("M-140,-16C-150,-120 -110,-220 0,-220C110,-220 150,-120 140,-16C90,4 -90,4 -140,-16Z", "steel") +
    disc(0, -228, 16, "brass") +
    rim("M-132,-80C-126,-160 -80,-216 0,-216", 5, 0.7) +
    steam(250, -216, 0.9)
  );
}

function snowOnALane(): string {
  const next = chance(522);
  return picture(
    nightSky({ seed: 521 }),
    hills(430, 60, "#4b6f78", 523),
    hills(500, 50, "#7d9aa0", 524),
    shape("M0,520C300,470 900,480 1280,520V720H0Z", "#a9bfc0"),
    shape(
      "M600,500C640,520 560,580 480,640C420,690 400,720 390,730H960C900,660 760,600 700,540C680,520 690,505 700,500Z",
      "#cfdcd8",
    ),
    line("M600,506C620,540 520,610 440,730M700,506C720,560 840,640 900,730", "#7d9aa0", 7, { op: 0.6 }),
    at(190, 600, tree("#2b4b52", 525), { scale: 1.7 }),
    at(1110, 620, tree("#23404a", 526), { scale: 1.9 }),
    at(
      880,
      500,
      box(-80, -90, 160, 100, "#223c45") +
        shape("M-100,-86L0,-160L100,-86Z", "#dbe6e0") +
        box(-20, -60, 40, 44, "shade") +
        disc(0, -40, 160, "glow"),
    ),
    repeat(110, () =>
      disc(round(next() * WIDTH), round(next() * HEIGHT), round(1.4 + next() * 4), "#eef4ee", {
        op: round(0.35 + next() * 0.5),
      }),
    ),
  );
}

function trainShed(): string {
  const arch = (r: number, op: number) =>
    line(`M${640 - r},640V${640 - r * 0.5}A${r},${r * 0.82} 0 0 1 ${640 + r},${640 - r * 0.5}V640`, "#4b6f78", 15, {
      op,
    });
  return picture(
    room([640, 420, 620]),
    ...[600, 480, 370, 270].map((r, index) => arch(r, 0.9 - index * 0.16)),
    shape("M560,560H720L1000,740H280Z", "#14191d"),
    line("M586,560L400,740M694,560L880,740", "#9fb3ad", 8, { op: 0.7 }),
    repeat(6, (index) =>
      line(`M${574 - index * 34},${580 + index * 28}H${706 + index * 34}`, "#4a3724", 10 + index * 2, { op: 0.9 }),
    ),
    at(
      640,
      590,
      box(-130, -260, 260, 240, "teal", { r: 36 }) +
        box(-96, -226, 80, 90, "shade", { r: 12 }) +
        box(16, -226, 80, 90, "shade", { r: 12 }) +
        box(-130, -110, 260, 20, "cream", { op: 0.7 }) +
        disc(-80, -60, 22, "#fff1cc") +
        disc(80, -60, 22, "#fff1cc") +
        disc(-80, -60, 130, "glow") +
        disc(80, -60, 130, "glow") +
        rim("M-128,-224C-128,-252 -110,-258 -90,-258H90C112,-258 128,-250 128,-222", 5, 0.7),
    ),
    ...[170, 1110].map(
      (x) =>
        line(`M${x},100V210`, "#14232b", 6) +
        shape(`M${x - 40},240L${x - 16},206H${x + 16}L${x + 40},240Z`, "brass") +
        disc(x, 250, 150, "glow"),
    ),
  );
}

function river(): string {
  return picture(
    nightSky({ seed: 541, crescentAt: [900, 130, 50] }),
    hills(360, 60, "#35585c", 542),
    hills(430, 60, "#27474c", 543),
    shape(
      "M760,400C820,430 700,470 620,510C500,570 620,640 800,740H240C180,620 320,540 500,490C640,450 700,430 720,400Z",
      "#4d8086",
    ),
    line(
      "M724,420C700,450 600,480 520,510M560,540C500,580 540,640 620,700M420,560C340,600 320,660 340,720",
      "#dfe8dc",
      4,
      { op: 0.4 },
    ),
    ...[150, 290, 1010, 1160].map((x, index) =>
      at(x, 640 - (index % 2) * 50, tree(["#16282e", "#1a3036"][index % 2] ?? "#16282e", 544 + index), { scale: 1.6 }),
    ),
    meadow(548),
  );
}

function bread(): string {
  return picture(
    room([980, 220, 660]),
    table(430),
    oval(640, 600, 460, 70, "#e6dcc0", { op: 0.28, blur: 12 }),
    at(
      600,
      560,
      oval(0, 34, 300, 44, "#0a0f14", { op: 0.5, blur: 12 }) +
        shape("M-290,20C-300,-110 -150,-170 0,-170C150,-170 300,-110 290,20C200,60 -200,60 -290,20Z", "fur") +
        line(
          "M-150,-120C-120,-70 -110,-30 -110,20M-30,-150C-6,-90 0,-40 0,30M96,-140C110,-90 116,-40 112,24",
          "#f0e6c9",
          13,
          { op: 0.65 },
        ) +
        rim("M-276,-20C-264,-120 -140,-166 0,-166", 5, 0.7),
    ),
    at(1010, 600, rollingPin(), { turn: -24 }),
    at(
      160,
      440,
      box(-90, -190, 180, 190, "linen", { r: 26 }) +
        line("M-88,-150Q0,-120 88,-150", "#8f8768", 7) +
        rim("M-86,-170C-60,-192 60,-192 86,-170", 3, 0.6),
    ),
    at(1120, 430, lamp(), { scale: 0.9 }),
  );
}

function rollingPin(): string {
  return (
    box(-200, -13, 400, 26, "#5d4025", { r: 13 }) +
    box(-140, -36, 280, 72, "wood", { r: 30 }) +
    rim("M-124,-30H124", 4, 0.6)
  );
}

function orchard(): string {
  const next = chance(572);
  const bare = (turn: number) =>
    line(
      "M0,0C-6,-80 6,-130 0,-190M0,-120C-40,-170 -80,-190 -110,-240M0,-150C40,-200 70,-220 90,-280M-60,-190C-70,-230 -60,-260 -70,-290M44,-210C50,-250 40,-280 50,-310M0,-190C-10,-240 -6,-280 -20,-320",
      "#1b1714",
      15,
      { turn: `rotate(${turn})` },
    );
  const apples = repeat(16, () =>
    disc(round(120 + next() * 1040), round(640 + next() * 50), 15, next() > 0.4 ? "clay" : "ochre"),
  );
  return picture(
    country({ seed: 571, moonAt: [640, 230, 96] }, 540),
    ...[180, 470, 820, 1110].map((x, index) => at(x, 650, bare(index % 2 === 0 ? -3 : 4), { scale: 1.2 })),
    at(
      300,
      660,
      line(
        "M-60,0L-16,-300M60,0L16,-300" +
          repeat(6, (index) => `M${-52 + index * 7},${-46 - index * 46}H${52 - index * 7}`),
        "#8a6a3c",
        10,
      ),
    ),
    apples,
    cloud(640, 640, 700, 0.35),
  );
}

function greenhouse(): string {
  const pots = [330, 500, 640, 800, 950].map((x, index) =>
    at(
      x,
      610,
      shape("M-40,-70H40L28,0H-28Z", "clay") +
        repeat(5, (leaf) =>
          oval(round(-30 + leaf * 15), -104 - (leaf % 2) * 26, 13, 36, "moss", {
            turn: `rotate(${-40 + leaf * 20} 0 -70)`,
          }),
        ),
      { scale: 0.9 + (index % 3) * 0.14 },
    ),
  );
  return picture(
    box(0, 0, WIDTH, HEIGHT, "#13242d"),
    hills(560, 40, "#1a3238", 581),
    disc(640, 420, 560, "glow"),
    shape("M220,620V300L640,110L1060,300V620Z", "#e8b865", { op: 0.22 }),
    ...pots,
    at(
      640,
      300,
      line("M0,-190V-60", "#14232b", 5) + shape("M-40,-30L-16,-64H16L40,-30Z", "brass") + disc(0, -20, 200, "glow"),
    ),
    line(
      "M220,620V300L640,110L1060,300V620M640,110V300M220,300H1060M360,240V620M500,176V620M780,176V620M920,240V620M640,300V560",
      "#0f1c23",
      11,
    ),
    box(190, 610, 900, 40, "#2b3c42"),
    rim("M222,300L640,112L1058,300", 4, 0.6),
    drops(582, 60),
    rain(583, 190, 0.4),
  );
}

function airingCupboard(): string {
  const shelf = (y: number, cloths: string[]) =>
    box(250, y, 780, 22, "wood") +
    rim(`M250,${y + 2}H1030`, 3, 0.6) +
    cloths
      .map((cloth, index) =>
        repeat(
          3,
          (layer) =>
            box(280 + index * 190, y - 44 * (layer + 1), 160, 42, layer % 2 === 0 ? cloth : "linen", { r: 16 }) +
            rim(`M${290 + index * 190},${y - 44 * (layer + 1) + 2}h140`, 2.4, 0.5),
        ),
      )
      .join("");
  return picture(
    box(0, 0, WIDTH, HEIGHT, "wall"),
    box(220, 30, 840, 700, "#4a3420"),
    disc(640, 360, 600, "glow"),
    shelf(240, ["teal", "clay", "moss", "ochre"]),
    shelf(460, ["linen", "teal", "ochre", "clay"]),
    shelf(680, ["moss", "cream", "teal", "linen"]),
    shape("M220,30L60,0V720H220Z", "woodside"),
    shape("M1060,30L1220,0V720H1060Z", "woodside"),
    disc(100, 380, 14, "brass"),
    disc(1180, 380, 14, "brass"),
  );
}

function winterMooring(): string {
  return picture(
    nightSky({ seed: 601, moonAt: [300, 190, 70] }),
    hills(400, 70, "#7d9aa0", 602),
    hills(430, 40, "#27474c", 603),
    water(440, [300, 860], 604),
    at(
      760,
      560,
      box(-330, -90, 660, 110, "clay", { r: 30 }) +
        box(-250, -170, 470, 90, "teal", { r: 14 }) +
        ["-200", "-90", "20", "130"]
          .map((x) => disc(Number(x) + 20, -126, 26, "#fff1cc") + disc(Number(x) + 20, -126, 90, "glow"))
          .join("") +
        line("M-190,-170V-250", "#14232b", 24) +
        steam(-190, -252, 1) +
        rim("M-320,-84H320M-244,-166H214", 4, 0.6) +
        box(-250, -182, 470, 16, "#dbe6e0", { r: 8 }),
    ),
    box(0, 610, 300, 120, "#3a2b20"),
    box(0, 598, 310, 22, "#dbe6e0", { r: 10 }),
    box(240, 540, 36, 90, "wood", { r: 8 }),
    line("M258,570C330,620 380,590 430,560", "#d9c08c", 6),
  );
}

function readingRoom(): string {
  const shelves = repeat(4, (row) => {
    const next = chance(611 + row);
    let x = 40;
    let row_ = "";
    while (x < 1230) {
      const w = 22 + next() * 26;
      const h = 84 + next() * 34;
      const cloth = ["teal", "clay", "moss", "ochre", "deep", "linen"][Math.floor(next() * 6)] ?? "teal";
      row_ += box(round(x), round(130 + row * 140 - h), round(w), round(h), cloth, { r: 3 });
      x += w + 4;
    }
    return row_ + box(0, 130 + row * 140, WIDTH, 18, "wood");
  });
  return picture(
    box(0, 0, WIDTH, HEIGHT, "#17211f"),
    shelves,
    box(0, 0, WIDTH, HEIGHT, ink.night, { op: 0.42 }),
    disc(640, 420, 620, "glow"),
    table(590),
    at(
      640,
      596,
      footprint(90) +
        box(-70, -20, 140, 20, "brass", { r: 8 }) +
        box(-8, -240, 16, 224, "brass") +
        shape("M-170,-200C-170,-270 170,-270 170,-200Z", "moss") +
        rim("M-166,-206C-160,-264 160,-264 166,-206", 4, 0.7) +
        disc(0, -180, 260, "glow"),
    ),
    at(380, 640, openBook(), { scale: 0.42 }),
    at(960, 620, book(260, 46, "clay") + at(10, -46, book(220, 40, "teal"))),
  );
}

function roundARoom(): string {
  return picture(
    room([900, 300, 600]),
    window(330, 230, 280, 270, nightSky({ seed: 621, moonAt: [392, 170, 34] })),
    floor(590),
    box(620, 130, 190, 150, "wood", { r: 4 }),
    within("M636,146H794V264H636Z", country({ seed: 622 }, 240)),
    at(
      940,
      600,
      box(-60, -180, 120, 180, "woodside", { r: 4 }) +
        disc(30, -100, 9, "brass") +
        at(0, -180, lamp(), { scale: 0.72 }),
    ),
    at(
      560,
      620,
      box(-150, -160, 300, 160, "woodside", { r: 6 }) +
        repeat(
          3,
          (index) =>
            box(-130, -146 + index * 48, 260, 40, "#4a3420", { r: 4 }) + disc(0, -126 + index * 48, 8, "brass"),
        ) +
        at(60, -160, candle(), { scale: 0.7 }),
    ),
    line("M250,520C200,640 500,700 760,660C1020,620 1130,480 1080,380", ink.light, 6, { op: 0.5 }),
    shape("M1080,380l-24,34l44,8Z", ink.light, { op: 0.7 }),
    box(1110, 150, 140, 440, "#4a3420"),
    box(1124, 166, 112, 424, "wood"),
    disc(1140, 390, 11, "brass"),
  );
}

function fromGateToDoor(): string {
  const fence = repeat(13, (index) =>
    index > 4 && index < 8 ? "" : box(20 + index * 98, 500, 34, 170, "linen", { r: 12 }),
  );
  return picture(
    country({ seed: 631, crescentAt: [1060, 130, 54] }, 420),
    at(
      640,
      470,
      box(-180, -190, 360, 200, "#2d4c52") +
        shape("M-220,-184L0,-340L220,-184Z", "#14232b") +
        box(-40, -120, 80, 130, "#f3cf85") +
        disc(0, -60, 220, "glow") +
        [-120, 120].map((x) => box(x - 32, -130, 64, 64, "shade") + line(`M${x},-130v64`, "#14232b", 5)).join("") +
        box(90, -330, 44, 90, "#14232b"),
    ),
    shape("M600,480H680C690,540 760,600 860,740H420C520,600 590,540 600,480Z", "#b7a983", { op: 0.8 }),
    repeat(6, (index) =>
      oval(
        640 + (index % 2 === 0 ? -30 : 30) - index * 2,
        520 + index * 38,
        34 + index * 12,
        9 + index * 3,
        "#6d6d62",
        { op: 0.6 },
      ),
    ),
    line("M0,560H500M780,560H1290M0,630H500M780,630H1290", "#c9bb94", 15),
    fence,
    at(
      800,
      680,
      shape("M0,0V-200L150,-240V40Z", "linen") +
        line("M0,-150L150,-180M0,-40L150,-30M40,-6V-206M80,10V-216M118,22V-228", "#6d6653", 9) +
        rim("M0,-200L150,-240", 3, 0.7),
    ),
  );
}

function jawHandsFeet(): string {
  const marks: [number, number][] = [
    [640, 300],
    [330, 560],
    [950, 560],
  ];
  const hand = shape(
    "M-60,60C-90,0 -80,-50 -60,-60C-40,-100 -26,-60 -22,-40C-20,-110 4,-110 8,-44C20,-104 42,-96 38,-36C56,-80 74,-64 66,-16C90,-30 100,-10 76,24C60,56 40,90 -20,90Z",
    "skin",
  );
  return picture(
    room([640, 240, 640]),
    at(640, 420, pillow(620, 330)),
    at(640, 230, face({ hair: "#3b2a20" }), { scale: 1.5 }),
    shape("M120,740C160,520 380,430 640,430C900,430 1120,520 1160,740Z", "teal"),
    rim("M130,700C180,520 390,432 640,432C890,432 1100,520 1150,700", 4, 0.6),
    at(340, 590, hand, { scale: 0.9, turn: -16 }),
    at(940, 590, hand, { scale: 0.9, turn: 16, flip: true }),
    ...marks.map(([x, y]) => disc(x, y, 130, "glow")),
  );
}

function shelfUntilMorning(): string {
  const parcel = (w: number, h: number, cloth: string) =>
    box(-w / 2, -h, w, h, cloth, { r: 6 }) +
    line(`M0,${-h}V0M${-w / 2},${-h / 2}H${w / 2}`, "#f0e6c9", 7, { op: 0.7 }) +
    line(`M0,${-h}c-40,-40 -60,0 0,0c40,-40 60,0 0,0`, "#f0e6c9", 6, { op: 0.8 }) +
    rim(`M${-w / 2 + 4},${-h + 2}H${w / 2 - 4}`, 3, 0.55);
  return picture(
    room([300, 300, 640]),
    window(1040, 190, 300, 250, nightSky({ seed: 651, crescentAt: [1112, 136, 32] })),
    box(120, 470, 1040, 34, "wood", { r: 4 }),
    rim("M122,472H1158", 4, 0.7),
    line("M240,504v60q0,30 -60,30M1040,504v60q0,30 60,30", "#3a2b20", 17),
    at(290, 470, parcel(190, 150, "clay")),
    at(500, 470, parcel(150, 210, "teal")),
    at(700, 470, parcel(200, 120, "ochre")),
    at(690, 350, parcel(130, 90, "moss")),
    at(
      910,
      470,
      box(-80, -190, 160, 190, "glass", { r: 24 }) +
        box(-60, -210, 120, 30, "wood", { r: 8 }) +
        [-36, 10, 40]
          .map((x, index) =>
            box(x - 30, -60 - index * 40, 60, 34, "cream", { turn: `rotate(${index * 20 - 20} ${x} -60)` }),
          )
          .join(""),
    ),
  );
}

function farthestSound(): string {
  return picture(
    country({ seed: 661, moonAt: [1010, 170, 60] }, 470),
    at(
      880,
      500,
      box(-34, -110, 68, 110, "#1d3a42") +
        shape("M-44,-108L0,-210L44,-108Z", "#14232b") +
        box(-12, -90, 24, 30, "shade") +
        disc(0, -76, 130, "glow"),
    ),
    waves(880, 424, 5, { from: 70, step: 62, turn: 168, spread: 60 }),
    at(250, 640, openLeaf(), { scale: 1.5 }),
    meadow(662),
  );
}

function openLeaf(): string {
  return (
    box(-110, -330, 30, 380, "wood") +
    shape("M-80,-320L30,-350V60L-80,40Z", "glass") +
    line("M-80,-320L30,-350V60L-80,40ZM-80,-140L30,-146", "#3a2b20", 13) +
    rim("M-80,-320L30,-350", 3, 0.7)
  );
}

function lazyAlphabet(): string {
  const cube = (letter: string, cloth: string) =>
    box(-80, -160, 160, 160, cloth, { r: 14 }) +
    box(-64, -144, 128, 128, "cream", { r: 8 }) +
    letter +
    rim("M-74,-154H74", 4, 0.7);
  const a = line("M-34,-44L0,-124L34,-44M-20,-74H20", "#5d4a2e", 13);
  const b = line("M-24,-44V-122H4C40,-122 40,-86 6,-86H-24M6,-86C46,-84 46,-44 6,-44H-24", "#5d4a2e", 13);
  const c = line("M32,-106C6,-136 -36,-122 -36,-84C-36,-46 6,-32 32,-60", "#5d4a2e", 13);
  return picture(
    room([900, 240, 640]),
    window(270, 200, 300, 250, nightSky({ seed: 671, crescentAt: [340, 146, 34] })),
    table(560),
    oval(640, 604, 420, 24, "#0a0f14", { op: 0.5, blur: 12 }),
    at(470, 610, cube(a, "clay"), { scale: 1.3 }),
    at(700, 610, cube(b, "teal"), { scale: 1.3 }),
    at(590, 402, cube(c, "ochre"), { scale: 1.3, turn: -7 }),
    at(1080, 590, lamp(), { scale: 1 }),
  );
}

function picturesInNoOrder(): string {
  const card = (drawn: string) =>
    box(-114, -84, 236, 180, "#0a0f14", { op: 0.5, blur: 5 }) +
    box(-120, -90, 240, 180, "cream", { r: 8 }) +
    within("M-104,-74H104V74H-104Z", box(-104, -74, 208, 148, "night") + drawn);
  const fish =
    shape("M-60,0C-20,-44 40,-40 60,0C40,40 -20,44 -60,0ZM50,0L90,-30V30Z", "clay") + disc(-34, -8, 6, "#14110f");
  const leaf =
    shape("M-60,40C-60,-40 20,-60 70,-50C70,20 20,60 -60,40Z", "moss") + line("M-60,44L60,-44", "#28443d", 5);
  return picture(
    box(0, 0, WIDTH, HEIGHT, "board"),
    disc(640, 300, 640, "glow"),
    at(300, 230, card(disc(0, 0, 44, "moon")), { turn: -9, scale: 1.2 }),
    at(650, 190, card(at(0, 40, boat({ sail: true }), { scale: 0.42 })), { turn: 5, scale: 1.2 }),
    at(1000, 250, card(fish), { turn: 11, scale: 1.2 }),
    at(400, 510, card(at(0, 66, mug({ cloth: "ochre" }), { scale: 0.6 })), { turn: 7, scale: 1.2 }),
    at(770, 500, card(leaf), { turn: -6, scale: 1.2 }),
    at(1080, 540, card(at(0, 70, tree("#5f8069", 681), { scale: 0.56 })), { turn: -12, scale: 1.2 }),
  );
}

function restWithoutSleep(): string {
  const cat = shape(
    "M-250,60C-270,-60 -130,-130 20,-120C170,-116 270,-40 250,50C230,96 120,104 0,104C-130,104 -240,100 -250,60Z",
    "fur",
  );
  return picture(
    room([320, 240, 640]),
    table(560),
    at(
      660,
      560,
      oval(0, 20, 400, 40, "#0a0f14", { op: 0.5, blur: 12 }) +
        shape("M-400,-10C-420,-70 420,-70 400,-10C410,50 280,60 0,60C-280,60 -410,50 -400,-10Z", "clay"),
    ),
    at(
      660,
      450,
      cat +
        shape(
          "M-236,40C-270,-30 -230,-90 -180,-96L-176,-150L-130,-112C-110,-116 -90,-116 -70,-108L-30,-142L-34,-84C10,-50 10,20 -30,60C-100,104 -220,100 -236,40Z",
          "fur",
        ) +
        line("M-190,-16q20,-16 40,0M-106,-16q20,-16 40,0", "#2a1d13", 7) +
        shape("M-140,14h24l-12,14Z", "#7c4a3a") +
        line("M-128,30q-14,16 -28,4M-128,30q14,16 28,4", "#2a1d13", 4) +
        line("M240,60C280,90 190,116 80,104", "#8f6539", 26) +
        rim("M-60,-108C60,-130 220,-90 250,30", 5, 0.65),
    ),
    at(190, 570, lamp(), { scale: 1.05 }),
  );
}

function wakingIsUsual(): string {
  const wave =
    "M-20,380C80,380 100,560 200,560C300,560 310,330 380,330C440,330 450,560 560,560C660,560 670,300 740,300C800,300 810,540 900,540C990,540 1000,280 1070,280C1130,280 1150,470 1300,470";
  return picture(
    nightSky({ seed: 701, crescentAt: [170, 130, 50] }),
    shape(`${wave}V740H-20Z`, "#27474c"),
    shape(`${wave}V740H-20Z`, "fade"),
    line(wave, ink.light, 7, { op: 0.85 }),
    ...(
      [
        [380, 330],
        [740, 300],
        [1070, 280],
      ] as const
    ).map(([x, y]) => disc(x, y, 120, "glow") + disc(x, y, 16, ink.light)),
    meadow(702),
  );
}

function afterABadNight(): string {
  return picture(
    box(0, 0, WIDTH, HEIGHT, "dawn"),
    disc(640, 470, 560, "glow"),
    disc(640, 470, 110, "sun"),
    repeat(9, (index) =>
      line(`M0,-150V-${200 + (index % 2) * 30}`, ink.light, 9, {
        op: 0.55,
        turn: `translate(640 470) rotate(${-80 + index * 20})`,
      }),
    ),
    hills(540, 50, "#5c7d68", 711),
    hills(610, 50, "#3a5b4f", 712),
    hills(680, 30, "#1f3a36", 713),
    at(210, 660, tree("#1d332f", 714), { scale: 1.4 }),
    line("M800,150q30,-26 60,0q30,-26 60,0M940,220q22,-18 44,0q22,-18 44,0", "#1d2f38", 6, { op: 0.8 }),
    meadow(715, 705, "#10201f"),
  );
}

function longerBreathOut(): string {
  return picture(
    room([350, 330, 640]),
    table(590),
    at(
      330,
      600,
      footprint(70) +
        box(-60, -220, 120, 220, "cream", { r: 10 }) +
        oval(0, -220, 60, 12, "#fff1cc") +
        line("M0,-222V-250", "#2a221b", 7) +
        disc(-20, -290, 320, "glow") +
        shape("M0,-250C30,-290 -10,-350 -90,-360C-70,-320 -60,-260 0,-250Z", "sun"),
    ),
    line(
      "M1160,330C1000,290 900,380 760,330C660,296 560,330 470,300M1180,400C1040,370 930,440 800,400C690,370 600,400 520,380M1160,260C1020,220 900,290 780,250",
      ink.cream,
      8,
      { op: 0.5 },
    ),
  );
}

function shortSlowBreath(): string {
  const petals = (count: number, r: number, cloth: string, op: number) =>
    repeat(count, (index) =>
      at(
        640,
        360,
        shape(
          `M0,0C${-r * 0.36},${-r * 0.4} ${-r * 0.26},${-r * 0.86} 0,${-r}C${r * 0.26},${-r * 0.86} ${r * 0.36},${-r * 0.4} 0,0Z`,
          cloth,
          { op },
        ),
        { turn: (360 / count) * index },
      ),
    );
  return picture(
    nightSky({ seed: 731 }),
    box(0, 420, WIDTH, 310, "sea"),
    disc(640, 360, 460, "halo"),
    petals(12, 290, "teal", 0.8),
    petals(12, 220, "moss", 0.85),
    petals(10, 150, "linen", 0.95),
    disc(640, 360, 46, "sun"),
    disc(640, 360, 200, "glow"),
  );
}

function roomToBreatheOut(): string {
  const tuft = (x: number, y: number, size: number) =>
    at(
      x,
      y,
      [
        [-90, 10, 60],
        [-30, -30, 80],
        [50, -20, 74],
        [110, 14, 52],
      ]
        .map(([dx = 0, dy = 0, r = 0]) => disc(dx, dy, r, "#6f8d92"))
        .join("") + box(-150, 10, 300, 60, "#6f8d92", { r: 30 }),
      { scale: size },
    );
  const balloon =
    disc(0, -150, 170, "clay") +
    within(
      "M-170,-150a170,170 0 1 0 340,0a170,170 0 1 0 -340,0Z",
      shape("M-60,-330C-120,-200 -110,-60 -30,30H30C110,-60 120,-200 60,-330Z", "linen") +
        shape("M-20,-330C-36,-200 -36,-60 -8,30H8C36,-60 36,-200 20,-330Z", "ochre"),
    ) +
    rim("M-150,-220A170,170 0 0 1 40,-314", 6, 0.75) +
    line("M-80,0L-34,90M80,0L34,90", "#d9c08c", 4) +
    box(-40, 88, 80, 60, "wood", { r: 10 }) +
    disc(0, 50, 150, "glow");
  return picture(
    nightSky({ seed: 741, crescentAt: [240, 150, 56] }),
    tuft(1030, 230, 1),
    tuft(220, 430, 1.2),
    at(660, 400, balloon, { scale: 1.15 }),
    tuft(930, 600, 1.5),
    tuft(380, 680, 1.5),
    disc(1180, 90, 2, ink.cream),
  );
}

export const pieceCovers: Record<string, () => string> = {
  "a-harbour-at-night": harbour,
  "a-kitchen-early": kitchen,
  "snow-on-a-lane": snowOnALane,
  "a-train-shed": trainShed,
  "a-river": river,
  "bread-by-hand": bread,
  "an-orchard-in-november": orchard,
  "rain-on-a-greenhouse": greenhouse,
  "an-airing-cupboard": airingCupboard,
  "a-winter-mooring": winterMooring,
  "a-reading-room": readingRoom,
  "round-a-room": roundARoom,
  "from-gate-to-door": fromGateToDoor,
  "jaw-and-hands": jawHandsFeet,
  "a-shelf-until-morning": shelfUntilMorning,
  "the-farthest-sound": farthestSound,
  "three-letters": lazyAlphabet,
  "pictures-in-no-order": picturesInNoOrder,
  "a-cat-that-rests": restWithoutSleep,
  "waves-of-a-night": wakingIsUsual,
  "the-morning-after": afterABadNight,
  "a-flame-that-bends": longerBreathOut,
  "a-water-lily": shortSlowBreath,
  "a-balloon-at-night": roomToBreatheOut,
};
