import {
  alarmClock,
  armchair,
  bedFromSide,
  book,
  candle,
  clockBack,
  glass,
  lamp,
  mug,
  nightstand,
  pillow,
  sleepingHead,
  steam,
} from "./bedroom.ts";
import {
  deskFan,
  duck,
  feather,
  hose,
  letter,
  mask,
  oximeter,
  radiator,
  singingBowl,
  skyLantern,
  stethoscope,
  teddy,
  thermometer,
  wool,
} from "./objects.ts";
import {
  at,
  box,
  chance,
  disc,
  HEIGHT,
  ink,
  line,
  onCircle,
  oval,
  picture,
  pointOnCircle,
  repeat,
  rim,
  ring,
  round,
  shape,
  WIDTH,
  within,
} from "./paint.ts";
import {
  country,
  curtain,
  drops,
  floor,
  hills,
  meadow,
  moon,
  nightSky,
  rail,
  rain,
  room,
  stars,
  table,
  tree,
  waves,
  window,
} from "./places.ts";

function leaveTheBed(): string {
  return picture(
    room([940, 300, 660]),
    window(250, 230, 280, 300, nightSky({ seed: 201, crescentAt: [318, 160, 38] })),
    floor(600),
    oval(640, 662, 460, 44, "#2a3c40"),
    oval(640, 662, 400, 34, "none"),
    at(590, 650, armchair(), { scale: 1.16 }),
    at(
      970,
      640,
      box(-6, -190, 12, 190, "wood") +
        oval(0, 0, 70, 12, "#2a221b") +
        oval(0, -190, 110, 18, "wood") +
        rim("M-108,-192A110,18 0 0 1 108,-192", 3, 0.7),
    ),
    at(1000, 452, lamp(), { scale: 0.86 }),
    at(926, 450, mug({ cloth: "clay" }), { scale: 0.34 }),
    at(590, 560, book(150, 30, "clay"), { turn: -4 }),
  );
}

function clockTurnedAway(): string {
  return picture(
    room([1020, 260, 620]),
    table(520),
    at(560, 610, clockBack(), { scale: 1.44 }),
    at(1040, 580, lamp(), { scale: 1.16 }),
  );
}

function radiatorValve(): string {
  return picture(
    room([200, 240, 560]),
    window(640, 180, 620, 260, country({ seed: 211, moonAt: [796, 112, 36] }, 230)),
    floor(640),
    at(560, 660, radiator(), { scale: 1.16 }),
    at(1120, 330, thermometer(0.42), { scale: 0.72 }),
    at(170, 330, curtain(0, -320, 130, 560, { swell: 24 })),
    rail(120, 20, 900),
  );
}

function bath(): string {
  const tub = "M-380,-210H380C386,-110 330,-20 220,-14H-220C-330,-20 -386,-110 -380,-210Z";
  return picture(
    room([1000, 280, 640]),
    line(
      repeat(8, (index) => `M0,${70 + index * 68}H1280`) + repeat(14, (index) => `M${40 + index * 96},0V600`),
      "#0f1b22",
      3,
      { op: 0.35 },
    ),
    window(330, 190, 300, 250, nightSky({ seed: 221, moonAt: [402, 130, 40] })),
    floor(606),
    box(1040, 480, 120, 130, "wood", { r: 8 }),
    rim("M1042,482H1158", 3, 0.7),
    at(1100, 480, candle()),
    at(
      640,
      660,
      oval(0, 6, 330, 20, "#0a0f14", { op: 0.6, blur: 12 }) +
        line("M-220,-20L-250,10M220,-20L250,10", "#a8752f", 26) +
        shape(tub, "cream") +
        box(-404, -236, 808, 36, "linen", { r: 18 }) +
        rim("M-402,-226Q-400,-236 -386,-236H386Q400,-236 402,-226", 4, 0.8) +
        line("M-340,-150C-330,-90 -290,-50 -230,-40", ink.cream, 8, { op: 0.4 }) +
        line("M330,-236V-330C330,-360 280,-360 280,-330", "#a8752f", 17),
    ),
    shape("M270,400C300,380 500,360 640,372C800,360 990,380 1006,408L1006,430H270Z", "none"),
    ...[330, 410, 500, 590, 670, 760, 850].map((x, index) =>
      disc(x, 418 - (index % 3) * 12, 34 + (index % 2) * 12, "#d8e3d8", { op: 0.85 }),
    ),
    box(236, 424, 808, 36, "linen", { r: 18 }),
    rim("M240,428H1040", 4, 0.7),
    steam(480, 350, 1.3),
    steam(780, 340, 1.4),
  );
}

function lyingOnOneSide(): string {
  // Seen from above, as the bed shows it.
  return picture(
    box(0, 0, WIDTH, HEIGHT, "floor"),
    box(170, 40, 940, 900, "wood", { r: 30 }),
    box(190, 60, 900, 900, "linen", { r: 26 }),
    disc(1200, 60, 520, "glow"),
    at(640, 300, pillow(520, 230)),
    at(650, 190, sleepingHead(), { scale: 1.14, turn: -4 }),
    shape("M520,252C540,230 590,236 612,258C600,280 540,284 520,252Z", "skin"),
    // A shoulder, and the cover over a back and two bent knees.
    shape("M560,420C556,330 620,268 700,262C800,258 850,330 840,420Z", "moss"),
    shape("M190,470C330,420 480,392 620,384C760,376 960,410 1090,452V760H190Z", "teal"),
    shape(
      "M190,470C330,420 480,392 620,384C760,376 960,410 1090,452V512C960,468 760,436 620,444C480,452 330,480 190,530Z",
      "cream",
    ),
    line("M190,530C330,480 480,452 620,444C760,436 960,468 1090,512", "#0d1a21", 9, { op: 0.3, blur: 5 }),
    shape(
      "M860,470C930,560 900,690 820,760H560C520,720 400,700 372,640C350,590 470,560 560,540C640,520 640,460 700,446Z",
      "#8fc0bd",
      { op: 0.16, blur: 12 },
    ),
    line("M866,474C930,566 900,690 830,760M560,540C470,562 352,590 374,640C396,694 520,716 560,760", "#0d1a21", 17, {
      op: 0.35,
      blur: 5,
    }),
  );
}

function clinic(): string {
  const windows = repeat(10, (index) => {
    const [x, y] = [-420 + (index % 5) * 190, index < 5 ? -330 : -200];
    const isLit = [1, 3, 5, 9].includes(index);
    return index === 7
      ? ""
      : box(x, y, 90, 84, isLit ? "shade" : "#1b2f38", { r: 4 }) +
          line(`M${x + 45},${y}v84`, "#14232b", 5) +
          (isLit ? disc(x + 45, y + 42, 110, "glow", { op: 0.5 }) : "");
  });
  return picture(
    country({ seed: 231, crescentAt: [1090, 130, 52] }, 440),
    at(
      620,
      620,
      box(-480, -380, 960, 380, "#2a4852") +
        box(-480, -380, 960, 12, "#4b6f78") +
        box(-500, -392, 1000, 16, "#14232b") +
        windows +
        box(-90, -160, 180, 160, "#f3cf85") +
        line("M0,-160V0", "#6b4a2b", 7) +
        disc(0, -80, 240, "glow") +
        shape("M-130,-160L-110,-200H110L130,-160Z", "clay") +
        disc(0, -276, 46, "cream") +
        box(-10, -306, 20, 60, "moss") +
        box(-30, -286, 60, 20, "moss"),
    ),
    shape("M530,620H710L900,760H340Z", "ray"),
    box(0, 618, 530, 110, "#132329"),
    box(710, 618, 580, 110, "#132329"),
    shape("M530,618H710L900,760H340Z", "#4a3d2a"),
    shape("M530,618H710L900,760H340Z", "ray", { op: 0.6 }),
    at(130, 660, tree("#10202a", 232), { scale: 1.7 }),
    at(1180, 670, tree("#0e1c24", 233), { scale: 1.5 }),
  );
}

function fittingAMask(): string {
  return picture(
    room([640, 330, 760]),
    disc(640, 350, 330, "woodside"),
    disc(640, 350, 300, "#21404a"),
    shape("M420,240L640,80L760,110L400,480Z", "#4d7880", { op: 0.35 }),
    ring(640, 350, 328, ink.light, 4, { op: 0.5 }),
    hose("M640,440C640,560 700,620 860,640C960,650 1060,700 1080,760", 52),
    at(640, 360, mask(), { scale: 1.24 }),
  );
}

function brokenReflection(): string {
  const next = chance(241);
  const pieces = repeat(26, (index) => {
    const y = 400 + index * 12;
    const w = (150 - Math.abs(index - 9) * 5) * (0.35 + next() * 0.75);
    const x = 640 + (next() - 0.5) * (60 + index * 7);
    return shape(
      `M${round(x - w)},${y}Q${round(x)},${y - 7} ${round(x + w)},${y}Q${round(x)},${y + 7} ${round(x - w)},${y}Z`,
      "#f0d69c",
      { op: round(0.85 - index * 0.022) },
    );
  });
  return picture(
    nightSky({ seed: 242, moonAt: [640, 210, 120] }),
    hills(372, 60, "#27474c", 243),
    box(0, 366, WIDTH, 360, "sea"),
    disc(640, 470, 420, "halo"),
    pieces,
    repeat(20, (index) => {
      const y = round(380 + index * 17 + next() * 8);
      const x = round(next() * 1280);
      return line(`M${x},${y}q60,-7 ${round(90 + next() * 90)},0`, "#7fa9a5", 2.4, { op: 0.35 });
    }),
    reeds(244),
  );
}

function reeds(seed: number): string {
  const next = chance(seed);
  return repeat(34, (index) => {
    const x = round(index % 2 === 0 ? next() * 300 : WIDTH - next() * 300);
    const height = 120 + next() * 190;
    const lean = round((next() - 0.5) * 60);
    const tip = round(HEIGHT - height);
    return (
      line(`M${x},${HEIGHT + 10}Q${x},${tip + 60} ${x + lean},${tip}`, "#0b161d", 4) +
      (index % 3 === 0 ? line(`M${x + lean},${tip}l${round(lean * 0.1)},-44`, "#2b2119", 11) : "")
    );
  });
}

function openWindow(): string {
  const view = country({ seed: 251, moonAt: [700, 190, 74] }, 440);
  return picture(
    room([1140, 560, 420]),
    box(384, 44, 512, 532, "#10191f", { r: 4 }),
    within("M400,60H880V560H400Z", view),
    shape("M400,60L300,20V610L400,560Z", "glass"),
    line("M400,60L300,20V610L400,560M300,310L400,306", "#10191f", 12),
    shape("M880,60L980,20V610L880,560Z", "glass"),
    line("M880,60L980,20V610L880,560M980,310L880,306", "#10191f", 12),
    box(344, 566, 592, 24, "wood", { r: 4 }),
    rim("M346,568H934", 4, 0.6),
    rail(150, 34, 980),
    curtain(190, 36, 140, 560, { cloth: "linen", swell: 120 }),
    curtain(950, 36, 140, 560, { cloth: "linen", swell: 150 }),
    line(
      "M420,250C520,220 600,290 700,262C760,246 800,262 840,280M400,360C500,340 560,400 680,372M460,456C560,440 640,490 760,462",
      ink.cream,
      4,
      { op: 0.4 },
    ),
    table(640),
    at(1130, 690, glass(true), { scale: 0.9 }),
  );
}

function dayBehindCurtains(): string {
  return picture(
    box(0, 0, WIDTH, HEIGHT, "wall"),
    box(240, 90, 800, 520, "dawn"),
    box(570, 80, 130, 540, "sun", { op: 0.9 }),
    disc(640, 360, 420, "glow"),
    rail(150, 64, 980),
    curtain(180, 66, 400, 570, { cloth: "deep", swell: 26 }),
    curtain(686, 66, 410, 570, { cloth: "deep", swell: -22 }),
    shape("M590,80H676L676,640H606Z", ink.light, { op: 0.35, blur: 12 }),
    shape("M590,640H690L1010,760H520Z", "ray"),
    line("M586,70C590,300 600,500 606,634M680,70C676,300 668,500 664,634", ink.light, 5, { op: 0.85 }),
    floor(668),
    shape("M600,668H680L860,760H520Z", "ray"),
    at(220, 700, alarmClock(9.25), { scale: 0.7 }),
  );
}

function bodyScan(): string {
  const points: [number, number][] = [
    [1012, 470],
    [900, 482],
    [780, 486],
    [660, 470],
    [540, 458],
    [424, 466],
    [326, 452],
  ];
  return picture(
    room([640, 180, 640]),
    window(640, 150, 420, 200, nightSky({ seed: 261, crescentAt: [742, 104, 30] })),
    floor(640),
    at(660, 690, bedFromSide({ cloth: "deep", lying: at(-286, -218, sleepingHead(), { turn: 28, scale: 0.9 }) }), {
      scale: 1.3,
    }),
    ...points.map(([x, y], index) => disc(x, y, 66 - index * 4, "glow") + disc(x, y, 13 - index, ink.light)),
    line(`M${points.map((point) => point.join(",")).join("L")}`, ink.light, 3, { op: 0.35 }),
  );
}

function bathTimeDuck(): string {
  const next = chance(271);
  const foam = repeat(44, () => {
    const r = 22 + next() * 40;
    const [x, y] = [next() * WIDTH, 566 + next() * 150];
    return (
      disc(round(x), round(y), round(r), "#dfe8dc", { op: 0.9 }) +
      line(
        `M${round(x - r * 0.5)},${round(y - r * 0.4)}a${round(r * 0.6)},${round(r * 0.6)} 0 0 1 ${round(r * 0.5)},${round(-r * 0.3)}`,
        "#ffffff",
        4,
        { op: 0.5 },
      )
    );
  });
  const bubbles: [number, number, number][] = [
    [330, 210, 50],
    [450, 130, 28],
    [960, 180, 62],
    [1060, 300, 30],
    [250, 360, 26],
    [830, 110, 20],
  ];
  return picture(
    room([640, 260, 760]),
    line(
      repeat(8, (index) => `M0,${20 + index * 72}H1280`) + repeat(14, (index) => `M${40 + index * 96},0V600`),
      "#0f1b22",
      3,
      { op: 0.35 },
    ),
    box(0, 560, WIDTH, 180, "water"),
    at(650, 610, duck(), { scale: 2 }),
    foam,
    ...bubbles.map(
      ([x, y, r]) =>
        disc(x, y, r, "#9fc4be", { op: 0.2 }) +
        ring(x, y, r, "#dff0ea", 3, { op: 0.65 }) +
        line(`M${x - r * 0.6},${y - r * 0.2}a${r * 0.64},${r * 0.64} 0 0 1 ${r * 0.4},${-r * 0.42}`, "#ffffff", 5, {
          op: 0.7,
        }),
    ),
  );
}

function villageHall(): string {
  const bunting = repeat(11, (index) => {
    const x = 60 + index * 116;
    const y = 60 + Math.sin((index / 10) * Math.PI) * 70;
    return shape(
      `M${x - 34},${round(y)}H${x + 34}L${x},${round(y + 70)}Z`,
      ["clay", "teal", "ochre", "moss"][index % 4] ?? "teal",
    );
  });
  const chair =
    box(-50, -190, 100, 80, "teal", { r: 8 }) +
    line("M-44,-110L-56,0M44,-110L56,0M-50,-80H50", "#6d7a78", 10) +
    box(-56, -96, 112, 20, "teal", { r: 8 }) +
    rim("M-46,-188H46", 3, 0.6);
  return picture(
    room([640, 250, 760]),
    line("M20,50C240,150 1040,150 1260,50", "#d9c08c", 5),
    bunting,
    floor(560),
    box(400, 470, 480, 120, "woodside"),
    rim("M400,472H880", 4, 0.7),
    at(600, 472, urn()),
    ...[730, 790, 850].map((x) => at(x, 474, mug({ cloth: x === 790 ? "clay" : "linen" }), { scale: 0.3 })),
    ...[190, 420, 860, 1090].map((x) => at(x, 720, chair, { scale: 1.3 })),
    ...[305, 640, 975].map((x) => at(x, 790, chair, { scale: 1.5 })),
  );
}

function urn(): string {
  return (
    oval(0, 2, 110, 12, "#0a0f14", { op: 0.5, blur: 5 }) +
    box(-80, -24, 160, 24, "steel", { r: 6 }) +
    box(-96, -230, 192, 210, "steel", { r: 16 }) +
    shape("M-92,-226C-80,-280 80,-280 92,-226Z", "steel") +
    disc(0, -276, 14, "#2a221b") +
    box(-10, -66, 20, 36, "brass") +
    box(-24, -74, 48, 16, "brass", { r: 6 }) +
    rim("M-94,-214C-90,-276 86,-280 92,-226", 4, 0.8) +
    line("M-70,-200V-40", "#e8efe2", 9, { op: 0.4 }) +
    steam(0, -290, 0.9)
  );
}

function television(): string {
  return picture(
    room([640, 330, 700]),
    table(600),
    at(
      640,
      610,
      line("M-40,-420L-150,-560M40,-420L150,-560", "#9fb3ad", 8) +
        disc(-150, -560, 11, "brass") +
        disc(150, -560, 11, "brass") +
        box(-250, -20, 30, 24, "#2a221b") +
        box(220, -20, 30, 24, "#2a221b") +
        box(-330, -430, 660, 416, "woodside", { r: 40 }) +
        box(-290, -390, 450, 336, "#10191f", { r: 50 }) +
        within(
          "M-276,-340Q-276,-376 -240,-376H110Q146,-376 146,-340V-104Q146,-68 110,-68H-240Q-276,-68 -276,-104Z",
          at(-640, -530, nightSky({ seed: 281, moonAt: [420, 250, 44] }) + hills(420, 50, "#27474c", 282)),
        ) +
        shape("M-110,-290V-154L20,-222Z", ink.cream, { op: 0.9 }) +
        disc(240, -330, 40, "brass") +
        disc(240, -230, 30, "brass") +
        repeat(5, (index) => line(`M200,${-160 + index * 22}h80`, "#14110f", 6, { op: 0.6 })) +
        rim("M-328,-392Q-328,-428 -290,-428H290Q328,-428 328,-390", 5, 0.7),
    ),
  );
}

function projector(): string {
  const reel = (x: number) =>
    at(
      x,
      -250,
      disc(0, 0, 96, "#14232b") +
        ring(0, 0, 92, "steel", 10) +
        repeat(5, (index) => disc(...onCircle(index * 72, 52), 22, "#35575a")) +
        disc(0, 0, 16, "brass") +
        line("M-70,-66A96,96 0 0 1 20,-94", ink.light, 4, { op: 0.7 }),
    );
  return picture(
    box(0, 0, WIDTH, HEIGHT, "wall"),
    shape("M600,440L1340,40V680L600,500Z", "beam"),
    box(1010, 120, 300, 420, "#fff1cc", { op: 0.25, r: 8 }),
    table(610),
    at(
      420,
      616,
      oval(0, 4, 260, 18, "#0a0f14", { op: 0.6, blur: 5 }) +
        reel(-110) +
        reel(110) +
        box(-210, -190, 420, 150, "teal", { r: 20 }) +
        box(-190, -40, 40, 44, "#2a221b") +
        box(150, -40, 40, 44, "#2a221b") +
        box(200, -166, 70, 76, "steel", { r: 10 }) +
        disc(272, -128, 30, "#fff1cc") +
        disc(280, -128, 120, "glow") +
        disc(-130, -116, 26, "brass") +
        repeat(5, (index) => line(`M${-50 + index * 36},-160v80`, "#12222b", 9, { op: 0.7 })) +
        rim("M-208,-172Q-206,-188 -190,-188H190Q206,-188 208,-172", 4, 0.7),
    ),
  );
}

function featherFalls(): string {
  return picture(
    nightSky({ seed: 291, moonAt: [930, 220, 92] }),
    hills(520, 40, "#20404a", 292),
    at(560, 800, pillow(980, 250)),
    line("M300,130C460,120 520,220 400,260C300,296 420,380 520,392", ink.cream, 4, { op: 0.35 }),
    at(500, 500, feather(), { scale: 0.84, turn: 32 }),
  );
}

function fiveWindows(): string {
  const houses = repeat(5, (index) => {
    const x = 90 + index * 228;
    const tall = 350 + ((index * 37) % 70);
    const top = 640 - tall;
    const light = ["shade", "#1b2f38", "#7d5933", "shade", "#21404a"][index] ?? "#1b2f38";
    return (
      box(x, top, 228, tall + 90, ["#284650", "#223c45", "#2d4c52", "#243f48", "#2a4850"][index] ?? "#284650") +
      shape(`M${x - 12},${top + 4}L${x + 114},${top - 110}L${x + 240},${top + 4}Z`, "#14232b") +
      rim(`M${x - 8},${top}L${x + 114},${top - 108}`, 3, 0.35) +
      box(x + 160, top - 110, 36, 80, "#14232b") +
      box(x + 56, top + 66, 116, 140, "#10191f", { r: 4 }) +
      box(x + 64, top + 74, 100, 124, light) +
      (index === 0 || index === 3 ? disc(x + 114, top + 136, 180, "glow", { op: 0.8 }) : "") +
      // In each, another reason to be awake.
      at(
        x + 114,
        top + 198,
        [
          "",
          shape("M6,-92a36,36 0 1 0 28,54a30,30 0 0 1 -28,-54Z", "moon"),
          at(0, 0, candleSmall()),
          at(0, 0, alarmClock(3), { scale: 0.24 }),
          line("M-30,-96l-8,28M4,-104l-8,28M34,-90l-8,28M-14,-54l-8,28M22,-50l-8,28", "#a9c6c2", 5),
        ][index] ?? "",
      ) +
      (index === 0
        ? at(
            x + 114,
            top + 200,
            disc(0, -70, 22, "#3b2a20") + shape("M-40,0C-40,-40 -20,-50 0,-50C20,-50 40,-40 40,0Z", "#3b2a20"),
          )
        : "") +
      line(`M${x + 114},${top + 74}v124M${x + 64},${top + 136}h100`, "#10191f", 7)
    );
  });
  return picture(
    nightSky({ seed: 301, crescentAt: [1130, 90, 44] }),
    hills(420, 60, "#20404a", 302),
    houses,
    box(0, 690, WIDTH, 40, "#0d171d"),
    meadow(303, 715),
  );
}

function candleSmall(): string {
  return (
    disc(0, -60, 80, "glow") +
    box(-12, -44, 24, 44, "cream", { r: 3 }) +
    shape("M0,-82C12,-66 10,-50 0,-48C-10,-50 -12,-66 0,-82Z", "sun")
  );
}

function bedroomWalk(): string {
  return picture(
    room([1000, 330, 620]),
    window(300, 220, 320, 290, country({ seed: 311, crescentAt: [378, 150, 34] }, 300)),
    rail(90, 46, 420),
    curtain(96, 48, 80, 380, { cloth: "moss" }),
    curtain(430, 48, 80, 380, { cloth: "moss" }),
    floor(610),
    at(640, 200, thermometer(0.4), { scale: 0.5 }),
    at(1120, 640, at(0, -40, lamp(), { scale: 0.94 }) + at(0, -40, nightstand(190), { scale: 0.9 })),
    at(620, 690, bedFromSide({ cloth: "moss", isFilled: false }), { scale: 1.12 }),
    waves(880, 180, 3, { from: 30, step: 34, turn: 0, spread: 90 }),
    at(850, 180, shape("M-50,-26H-20L16,-58V58L-20,26H-50Z", "linen") + rim("M-50,-26H-20L16,-58", 3, 0.7)),
  );
}

function askForATest(): string {
  return picture(
    room([300, 120, 700]),
    table(0),
    at(430, 380, letter(), { turn: -8, scale: 1.36 }),
    at(930, 470, oximeter(), { turn: 12, scale: 1.16 }),
    at(960, 200, stethoscope(), { scale: 0.72, turn: 96 }),
  );
}

function moonPhases(): string {
  const moons = repeat(7, (index) => {
    const x = 130 + index * 170;
    const y = round(330 - Math.sin((index / 6) * Math.PI) * 150);
    const r = 56 + Math.sin((index / 6) * Math.PI) * 22;
    const share = (index - 3) / 3;
    const hidden =
      share === 0
        ? ""
        : disc(round(x + -Math.sign(share) * r * 2 * (1 - Math.abs(share) * 0.72)), y, round(r * 1.02), "#17293b");
    return (
      disc(x, y, round(r * 2.2), "halo", { op: 0.5 }) +
      disc(x, y, round(r), "#21384a") +
      within(
        `M${x - r},${y}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0Z`,
        disc(x, y, round(r), "moon") +
          disc(x - r * 0.3, y - r * 0.3, r * 0.22, "#c99b58", { op: 0.3 }) +
          disc(x + r * 0.2, y + r * 0.24, r * 0.26, "#c99b58", { op: 0.3 }) +
          hidden,
      )
    );
  });
  return picture(
    nightSky({ seed: 321 }),
    moons,
    hills(560, 70, "#27474c", 322),
    hills(620, 60, "#1a3238", 323),
    at(1010, 640, tree("#122029", 324), { scale: 1.1 }),
    meadow(325),
  );
}

function nightBus(): string {
  const windows = repeat(6, (index) => box(-400 + index * 122, -276, 106, 110, "shade", { r: 10 }));
  const heads = [-340, -100, 140]
    .map(
      (x) =>
        disc(x, -196, 24, "#4a3420") +
        shape(`M${x - 36},-166C${x - 36},-190 ${x + 36},-190 ${x + 36},-166Z`, "#4a3420"),
    )
    .join("");
  const wheel = (x: number) =>
    at(x, -14, disc(0, 0, 62, "#0a0f14") + disc(0, 0, 34, "steel") + disc(0, 0, 12, "#14232b"));
  return picture(
    box(0, 0, WIDTH, HEIGHT, "dawn"),
    stars(331, 40, { to: 240 }),
    hills(430, 60, "#3b5358", 332),
    ...[60, 190, 340, 900, 1040, 1190].map(
      (x, index) =>
        box(x, 300 - (index % 3) * 40, 110, 340, "#223c45") +
        repeat(4, (row) =>
          box(
            x + 20 + (row % 2) * 44,
            330 - (index % 3) * 40 + row * 52,
            26,
            30,
            row === index % 4 ? "shade" : "#2f4c54",
          ),
        ),
    ),
    box(0, 580, WIDTH, 150, "#1a242a"),
    line("M0,664H1280", "#c9b179", 6, { op: 0.35 }),
    oval(640, 604, 520, 22, "#070b10", { op: 0.7, blur: 12 }),
    shape("M1090,520L1300,470V640L1090,580Z", "beam"),
    disc(640, 400, 480, "glow", { op: 0.5 }),
    at(
      640,
      600,
      box(-450, -330, 900, 310, "clay", { r: 44 }) +
        box(-450, -130, 900, 36, "cream", { op: 0.8 }) +
        windows +
        heads +
        box(342, -276, 96, 180, "shade", { r: 12 }) +
        disc(440, -70, 20, "#fff1cc") +
        rim("M-446,-290C-446,-322 -430,-328 -400,-328H404C432,-328 448,-316 448,-290", 5, 0.75) +
        wheel(-270) +
        wheel(280),
    ),
  );
}

function dayAndNightDial(): string {
  const marks = repeat(24, (index) =>
    line(
      `M0,-262v${index % 6 === 0 ? 34 : 18}`,
      index > 6 && index < 18 ? "#5d4a2e" : ink.cream,
      index % 6 === 0 ? 9 : 5,
      { turn: `rotate(${index * 15 + 180})`, op: 0.8 },
    ),
  );
  return picture(
    nightSky({ seed: 341 }),
    hills(600, 60, "#1d3a42", 342),
    at(
      640,
      350,
      disc(0, 0, 420, "halo") +
        disc(0, 0, 300, "brass") +
        ring(0, 0, 300, "#5d4025", 4, { op: 0.5 }) +
        within(
          "M-276,0A276,276 0 0 1 276,0Z",
          box(-280, -280, 560, 300, "#7fa3a0") +
            disc(0, -90, 260, "glow") +
            disc(0, -110, 62, "sun") +
            repeat(12, (index) =>
              line("M0,-82V-104", ink.light, 9, { turn: `translate(0 -110) rotate(${index * 30})` }),
            ) +
            shape("M-280,0C-160,-70 -60,-40 40,-60C140,-80 220,-50 280,0Z", "#5c7d68"),
        ) +
        within(
          "M-276,0A276,276 0 0 0 276,0Z",
          box(-280, 0, 560, 280, "night") +
            at(-640, -160, stars(343, 110, { from: 160, to: 450 })) +
            shape("M16,70a66,66 0 1 0 52,96a54,54 0 0 1 -52,-96Z", "moon") +
            shape("M-280,0C-160,50 -60,20 40,40C140,56 220,30 280,0Z", "#1c3b3d"),
        ) +
        marks +
        line("M-276,0H276", "#5d4025", 4, { op: 0.6 }) +
        line("M0,0L-150,-120", "#2a221b", 12) +
        disc(0, 0, 18, "brass") +
        rim("M-240,-180A300,300 0 0 1 60,-294", 6, 0.8),
    ),
  );
}

function lanternsRise(): string {
  const far: [number, number, number][] = [
    [210, 170, 0.34],
    [360, 90, 0.24],
    [1050, 120, 0.36],
    [1170, 250, 0.26],
    [900, 70, 0.22],
    [120, 330, 0.28],
  ];
  return picture(
    country({ seed: 351 }, 540),
    ...far.map(([x, y, size]) => at(x, y, skyLantern(), { scale: size })),
    at(390, 330, skyLantern(), { scale: 0.78, turn: -5 }),
    at(900, 290, skyLantern(), { scale: 0.96, turn: 6 }),
    at(640, 430, skyLantern(), { scale: 1.5 }),
    meadow(352),
  );
}

function tangleUnwinds(): string {
  const tangle =
    "M150,330C120,150 420,120 440,300C456,440 180,470 170,330C160,190 400,200 420,330C430,430 250,470 220,370C190,270 350,220 390,300C430,390 300,420 280,350C266,300 340,280 360,330";
  return picture(
    room([400, 300, 620]),
    table(560),
    line(tangle, "#0a0f14", 13, { op: 0.4, blur: 5 }),
    line(tangle, "#d98f63", 9),
    line(`M360,330C400,400 480,440 560,420C660,396 690,560 800,590`, "#d98f63", 9),
    at(950, 480, wool("M-140,110C-120,130 -90,140 -60,136"), { scale: 1.06 }),
    at(
      960,
      480,
      line("M-150,-190L150,180M140,-200L-110,190", "#c9a46a", 13) +
        disc(-150, -190, 17, "brass") +
        disc(140, -200, 17, "brass"),
    ),
  );
}

function cot(): string {
  const bars = repeat(11, (index) => box(-300 + index * 58, -260, 14, 240, "linen", { r: 6 }));
  const mobile: [number, string][] = [
    [-150, shape("M8,-30a32,32 0 1 0 26,48a27,27 0 0 1 -26,-48Z", "moon")],
    [-50, star(30)],
    [60, at(0, 0, cloudToy())],
    [156, star(26)],
  ];
  return picture(
    room([1080, 420, 520]),
    window(240, 240, 300, 300, nightSky({ seed: 361, moonAt: [166, 166, 40] })),
    floor(620),
    at(
      690,
      0,
      line("M0,0V90M-160,90H160", "#c9b179", 7) +
        mobile
          .map(
            ([x, toy], index) =>
              line(`M${x},90v${50 + (index % 2) * 44}`, "#d9c08c", 3) + at(x, 176 + (index % 2) * 44, toy),
          )
          .join(""),
    ),
    at(
      690,
      670,
      oval(0, 8, 380, 24, "#070b10", { op: 0.6, blur: 12 }) +
        box(-300, -120, 600, 60, "cream", { r: 20 }) +
        at(-190, -110, pillow(170, 60)) +
        disc(-186, -160, 44, "skin") +
        line("M-206,-160q9,8 18,0M-180,-160q9,8 18,0", "#3b2a20", 4) +
        shape("M-222,-176C-220,-214 -150,-214 -148,-174C-170,-196 -200,-196 -222,-176Z", "#5b3b24") +
        shape("M-140,-100C-120,-176 60,-190 240,-150L296,-100V-60H-150Z", "ochre") +
        bars +
        box(-330, -290, 26, 300, "wood", { r: 10 }) +
        box(304, -290, 26, 300, "wood", { r: 10 }) +
        box(-320, -282, 640, 26, "wood", { r: 10 }) +
        box(-320, -40, 640, 26, "wood", { r: 10 }) +
        rim("M-318,-282H318", 4, 0.7),
    ),
    at(1160, 690, teddy(), { scale: 0.46 }),
  );
}

function star(r: number): string {
  const points = Array.from({ length: 10 }, (_, index) => pointOnCircle(index * 36, index % 2 === 0 ? r : r * 0.46));
  return disc(0, 0, r * 2.4, "glow", { op: 0.6 }) + shape(`M${points.join("L")}Z`, "sun");
}

function cloudToy(): string {
  return (
    disc(-22, 4, 22, "linen") +
    disc(6, -8, 28, "cream") +
    disc(32, 6, 20, "linen") +
    box(-34, 4, 80, 22, "linen", { r: 11 })
  );
}

function houseInTheRain(): string {
  return picture(
    box(0, 0, WIDTH, HEIGHT, "#12222c"),
    repeat(9, (index) => line(`M0,${40 + index * 84}H1280`, "#0b161d", 5, { op: 0.5 })),
    box(310, 60, 660, 560, "#0c141a", { r: 6 }),
    box(336, 86, 608, 508, "#e2b062"),
    disc(640, 360, 420, "glow"),
    at(820, 594, lamp(), { scale: 1.05 }),
    within(
      "M336,86H944V594H336Z",
      curtain(336, 70, 110, 560, { cloth: "clay", swell: -20 }) +
        curtain(840, 70, 110, 560, { cloth: "clay", swell: 24 }) +
        at(
          520,
          596,
          shape("M-90,0C-90,-60 -60,-96 0,-100C50,-100 96,-60 96,0Z", "#6b4a2b") +
            shape(
              "M-66,-76L-70,-140L-34,-108C-14,-114 6,-112 22,-106L58,-138L56,-70C66,-30 -70,-30 -66,-76Z",
              "#6b4a2b",
            ),
        ),
    ),
    line("M640,86V594M336,330H944", "#0c141a", 17),
    box(284, 606, 712, 30, "#2b3c42", { r: 4 }),
    rim("M286,608H994", 4, 0.6),
    within("M336,86H944V594H336Z", drops(371, 130)),
    rain(372, 170, 0.42),
    disc(640, 340, 620, "glow", { op: 0.3 }),
  );
}

function slowSea(): string {
  const wave = (y: number, fill: string, foam: number, shift: number) =>
    shape(
      `M-40,${y}C160,${y - 50 + shift} 360,${y + 40} 600,${y}C840,${y - 44} 1060,${y + 34 - shift} 1320,${y - 10}V760H-40Z`,
      fill,
    ) +
    line(
      `M-40,${y}C160,${y - 50 + shift} 360,${y + 40} 600,${y}C840,${y - 44} 1060,${y + 34 - shift} 1320,${y - 10}`,
      "#dfe8dc",
      foam,
      { op: 0.75 },
    );
  const next = chance(382);
  return picture(
    nightSky({ seed: 381, crescentAt: [960, 160, 66] }),
    box(0, 330, WIDTH, 400, "sea"),
    repeat(26, () =>
      line(
        `M${round(880 + (next() - 0.5) * 220)},${round(340 + next() * 130)}h${round(20 + next() * 60)}`,
        ink.light,
        3,
        { op: 0.5 },
      ),
    ),
    wave(450, "#2c5660", 5, 10),
    wave(520, "#376770", 8, -16),
    shape("M-40,600C200,560 380,650 640,600C880,556 1080,640 1320,590V760H-40Z", "#7c6a48"),
    shape(
      "M-40,584C200,544 380,634 640,584C880,540 1080,624 1320,574V600C1080,650 880,566 640,610C380,660 200,570 -40,610Z",
      "#4b7c84",
      { op: 0.85 },
    ),
    line("M-40,610C200,570 380,660 640,610C880,566 1080,650 1320,600", "#f0ead6", 13, { op: 0.9 }),
    line("M-40,622C200,584 380,672 640,624C880,580 1080,664 1320,616", "#f0ead6", 5, { op: 0.4 }),
    at(250, 690, shell()),
  );
}

function shell(): string {
  return (
    oval(0, 6, 56, 9, "#0a0f14", { op: 0.5, blur: 5 }) +
    shape("M0,8C-60,-6 -64,-60 0,-76C64,-60 60,-6 0,8Z", "cream") +
    line("M0,6L-40,-52M0,6L-16,-68M0,6L16,-68M0,6L40,-52", "#a58a5c", 4, { op: 0.7 }) +
    rim("M-48,-44C-36,-66 -14,-74 0,-76", 3, 0.8)
  );
}

/** The noise as a recorder draws it: a stroke for each moment, none like the next, all of them brown. */
function brownNoise(): string {
  const browns = ["#8a6740", "#7b5b3a", "#6b4d31", "#a37c4c"];
  const loudness = chance(392);
  let level = 0.4;
  const strokes = repeat(62, (index) => {
    // Each is near the one before, as brown noise is.
    level += (0.42 - level) * 0.28 + (loudness() - 0.5) * 0.55;
    const x = 29 + index * 20;
    const reach = round(24 + 190 * Math.abs(level));
    return line(`M${x},${420 - reach}V${420 + reach}`, browns[index % 4] ?? "", 11);
  });
  return picture(
    nightSky({ seed: 391, moonAt: [640, 210, 92] }),
    disc(640, 300, 560, "glow", { op: 0.6 }),
    strokes,
    line("M0,420H1280", "#e2bd7a", 3, { op: 0.35 }),
  );
}

function fan(): string {
  return picture(
    room([320, 240, 600]),
    window(1000, 230, 340, 320, nightSky({ seed: 401, crescentAt: [1086, 150, 40] })),
    table(590),
    at(560, 640, deskFan(), { scale: 1.14 }),
    line(
      "M800,180C900,150 960,220 1080,190M830,270C930,240 1000,310 1130,276M810,360C920,334 980,400 1090,370",
      ink.cream,
      6,
      { op: 0.45 },
    ),
  );
}

function dandelion(): string {
  const seed = (x: number, y: number, turn: number, scale: number) =>
    at(
      x,
      y,
      line("M0,0V-58", "#e6dcc0", 3) +
        repeat(9, (index) =>
          line(`M0,-58L${pointOnCircle(-68 + index * 17, 34, [0, -58])}`, "#f3ead0", 2.4, { op: 0.85 }),
        ) +
        oval(0, 6, 4.5, 11, "#7c5434"),
      { turn, scale },
    );
  const next = chance(411);
  const head = repeat(44, (index) => {
    const angle = index * 8.2;
    const isGone = angle > 40 && angle < 140 && index % 3 !== 0;
    return isGone ? "" : seed(0, 0, angle, 1.5 + next() * 0.5);
  });
  const flying: [number, number, number, number][] = [
    [640, 250, 40, 1],
    [740, 330, 64, 1.1],
    [800, 180, 52, 0.9],
    [910, 260, 70, 1],
    [1020, 160, 60, 0.8],
    [1120, 280, 78, 0.9],
    [980, 400, 84, 0.8],
    [1190, 140, 66, 0.6],
  ];
  return picture(
    country({ seed: 412, moonAt: [930, 220, 110] }, 560),
    line("M400,760C420,600 384,470 400,330", "#5f8069", 13),
    at(400, 310, disc(0, 0, 210, "halo") + head + disc(0, 0, 26, "#8a6a3c")),
    ...flying.map((each) => seed(...each)),
    meadow(413),
  );
}

function bowlSings(): string {
  const rings = repeat(
    4,
    (index) =>
      oval(640, 400, 260 + index * 90, 90 + index * 44, "none") +
      `<ellipse cx="640" cy="330" rx="${270 + index * 92}" ry="${96 + index * 46}" fill="none" stroke="${ink.light}" stroke-width="4" opacity="${round(0.5 - index * 0.11)}"/>`,
  );
  return picture(
    room([640, 330, 700]),
    rings,
    floor(600),
    at(640, 590, singingBowl(), { scale: 1.2 }),
    at(180, 660, candle()),
    at(1110, 670, candle(), { scale: 0.9 }),
  );
}

function moonBreathes(): string {
  const rings = repeat(4, (index) => ring(640, 330, 190 + index * 62, ink.light, 4, { op: round(0.5 - index * 0.11) }));
  return picture(nightSky({ seed: 421 }), moon(640, 330, 138), rings, hills(600, 50, "#1d3a42", 422), meadow(423));
}

export const filmCovers: Record<string, () => string> = {
  "an-armchair-at-night": leaveTheBed,
  "a-clock-turned-away": clockTurnedAway,
  "a-radiator-valve": radiatorValve,
  "a-warm-bath": bath,
  "lying-on-one-side": lyingOnOneSide,
  "a-clinic-at-night": clinic,
  "a-cpap-mask": fittingAMask,
  "a-broken-reflection": brokenReflection,
  "an-open-window": openWindow,
  "day-behind-curtains": dayBehindCurtains,
  "a-scan-of-the-body": bodyScan,
  "a-duck-in-the-bath": bathTimeDuck,
  "a-village-hall": villageHall,
  "an-old-television": television,
  "a-film-projector": projector,
  "a-falling-feather": featherFalls,
  "five-windows": fiveWindows,
  "a-bedroom-walk": bedroomWalk,
  "a-letter-from-the-clinic": askForATest,
  "the-moon-through-a-month": moonPhases,
  "a-bus-at-dawn": nightBus,
  "a-dial-of-day-and-night": dayAndNightDial,
  "lanterns-let-go": lanternsRise,
  "a-tangle-of-wool": tangleUnwinds,
  "a-cot-by-the-window": cot,
  "a-window-in-the-rain": houseInTheRain,
  "waves-on-a-beach": slowSea,
  "brown-noise": brownNoise,
  "a-fan-at-night": fan,
  "a-dandelion": dandelion,
  "a-singing-bowl": bowlSings,
  "a-moon-that-breathes": moonBreathes,
};
