/** The pictures of articles for particular people, by file name. */
import { alarmClock, bedFromSide, face, glass, lamp, mug, pillow, steam } from "./bedroom.ts";
import { pillBottle, tablet } from "./objects.ts";
import { at, box, chance, disc, ink, line, onCircle, oval, picture, repeat, rim, ring, round, shape } from "./paint.ts";
import { floor, hills, meadow, nightSky, room, table, window } from "./places.ts";

/** The dream has a new ending: a door that opens. */
function nightmares(): string {
  const next = chance(801);
  const trunk = (x: number, w: number, fill: string) =>
    shape(
      `M${x - w},720C${x - w * 0.6},480 ${x - w * 0.4},240 ${x - w * 0.5},0H${x + w * 0.5}C${x + w * 0.4},240 ${x + w * 0.6},480 ${x + w},720Z`,
      fill,
    ) +
    line(
      `M${x},${round(150 + next() * 90)}q${round(60 + next() * 60)},-50 ${round(110 + next() * 50)},-${round(110 + next() * 60)}M${x},${round(260 + next() * 60)}q-${round(60 + next() * 50)},-40 -${round(100 + next() * 50)},-${round(110 + next() * 50)}`,
      fill,
      round(w * 0.34),
    );
  return picture(
    nightSky({ seed: 802, crescentAt: [918, 116, 40] }),
    hills(560, 40, "#1d3a42", 803),
    ...[60, 210, 400, 850, 1000, 1150].map((x, index) => trunk(x, 26 + (index % 3) * 6, "#1b3038")),
    disc(640, 420, 430, "glow"),
    shape("M560,600H720L980,740H300Z", "ray"),
    box(548, 236, 184, 372, "#2a221b", { r: 6 }),
    box(562, 250, 156, 352, "#f3cf85"),
    shape("M562,250L470,278V640L562,602Z", "woodside"),
    shape("M546,290L488,304V430L546,420ZM546,446L488,458V596L546,572Z", "#3a2b20", { op: 0.6 }),
    disc(484, 446, 9, "brass"),
    rim("M562,250H718V602", 4, 0.8),
    ...[120, 310, 950, 1120, 1250].map((x, index) => trunk(x, 44 + (index % 2) * 16, "#0d181f")),
    meadow(804),
  );
}

/** Two are up, and there is cocoa. */
function quarterPastTwo(): string {
  const hand = (hours: number, r: number, w: number) => {
    const [x, y] = onCircle(hours * 30, r, [640, 210]);
    return line(`M640,210L${x},${y}`, "#2a221b", w);
  };
  const marks = repeat(12, (index) => {
    const [x, y] = onCircle(index * 30, 132, [640, 210]);
    return disc(x, y, index % 3 === 0 ? 9 : 5, "#5d4a2e");
  });
  const biscuit = (x: number, y: number) =>
    oval(x, y + 5, 46, 15, "#6e4a2b") + oval(x, y, 46, 15, "fur") + rim(`M${x - 36},${y - 6}q36,-14 72,0`, 2.4, 0.6);
  return picture(
    room([1060, 330, 640]),
    disc(648, 220, 178, "#0a0f14", { op: 0.5, blur: 12 }),
    disc(640, 210, 176, "wood"),
    disc(640, 210, 154, "cream"),
    ring(640, 210, 154, "#5d4025", 4, { op: 0.6 }),
    marks,
    hand(2.25, 76, 15),
    hand(3, 118, 9),
    disc(640, 210, 12, "brass"),
    rim("M482,140A176,176 0 0 1 640,34", 5, 0.6),
    table(520),
    at(500, 622, mug({ cloth: "ochre", drink: "#6b3f22" }), { scale: 1 }),
    at(810, 622, mug({ drink: "#6b3f22" }), { scale: 1 }),
    steam(496, 420, 1),
    steam(806, 420, 1),
    oval(660, 672, 150, 26, "#0a0f14", { op: 0.5, blur: 5 }),
    oval(660, 664, 150, 28, "cream"),
    oval(660, 660, 116, 18, "linen"),
    biscuit(620, 650),
    biscuit(696, 652),
    biscuit(658, 634),
    at(1080, 540, lamp(), { scale: 1.1 }),
    at(
      190,
      550,
      shape("M-110,0C-130,-120 -60,-190 0,-190C60,-190 130,-120 110,0Z", "moss") +
        line("M-92,-30Q0,0 92,-30M-100,-80Q0,-50 100,-80", ink.cream, 6, { op: 0.4 }) +
        shape("M84,-110C150,-130 150,-60 200,-90L208,-70C160,-30 120,-60 88,-70Z", "moss") +
        line("M-96,-120C-170,-130 -170,-30 -104,-30", "#28443d", 20) +
        disc(0, -196, 16, "brass") +
        rim("M-100,-80C-90,-150 -50,-186 0,-188", 4, 0.7),
    ),
  );
}

/** It is morning for everyone else. */
function underTheDuvet(): string {
  const hair = repeat(9, (index) =>
    line(`M0,0q${-30 + index * 7},-26 ${-46 + index * 11},${-52 - (index % 3) * 12}`, "#3b2a20", 15),
  );
  return picture(
    room([300, 200, 700]),
    window(
      330,
      220,
      400,
      300,
      box(0, 0, 1280, 720, "dawn") +
        disc(380, 250, 240, "glow") +
        disc(380, 262, 52, "sun") +
        hills(330, 50, "#5a6a52", 812),
    ),
    shape("M150,380H530L980,740H420Z", ink.light, { op: 0.1 }),
    floor(630),
    at(
      580,
      690,
      bedFromSide({
        cloth: "ochre",
        lying: at(-244, -206, hair),
      }),
      { scale: 1.1 },
    ),
    // The duvet is over the head.
    at(
      580,
      690,
      shape(
        "M-300,-136C-300,-216 -220,-250 -150,-236C-80,-250 40,-230 110,-212C200,-224 300,-226 352,-176L378,-56H-300Z",
        "ochre",
      ) +
        line(
          "M-190,-226C-210,-180 -200,-140 -196,-104M-60,-232C-80,-180 -70,-140 -66,-104M80,-214C66,-170 74,-130 76,-104M220,-216C206,-170 216,-130 216,-104",
          "#3a2415",
          10,
          { op: 0.32, blur: 5 },
        ) +
        rim("M-298,-140C-296,-214 -220,-248 -150,-234C-80,-248 40,-228 110,-210C200,-222 296,-224 348,-178", 4, 0.75),
      { scale: 1.1 },
    ),
    at(
      1150,
      640,
      box(-80, -150, 160, 154, "woodside", { r: 6 }) +
        box(-60, -130, 120, 56, "#4a3420", { r: 4 }) +
        disc(0, -102, 8, "brass") +
        at(0, -150, alarmClock(7.35), { scale: 0.56 }),
    ),
    line("M1058,330l-24,-26M1066,374l-34,-8M1240,330l24,-26M1234,374l34,-8", ink.light, 8, { op: 0.8 }),
  );
}

function merryGoRound(): string {
  const horse =
    shape(
      "M-84,-10C-90,-46 -50,-60 -10,-54C20,-54 34,-70 44,-108C50,-128 74,-136 92,-120C112,-114 126,-98 120,-86C108,-80 96,-86 84,-84C82,-50 84,-26 66,-8C40,6 -60,6 -84,-10Z",
      "cream",
    ) +
    line(
      "M-62,-6C-92,20 -70,34 -84,60M-40,0C-30,26 -44,40 -36,62M36,-2C64,20 84,16 92,46M20,0C16,26 34,40 26,64",
      "linen",
      15,
    ) +
    line("M-84,-30C-116,-30 -112,10 -126,26", "#8f8768", 14) +
    shape("M40,-104C20,-90 16,-60 22,-50C38,-56 44,-80 56,-96Z", "clay") +
    box(-34, -66, 56, 26, "teal", { r: 10 }) +
    disc(98, -106, 5, "#2a1d13") +
    rim("M-80,-40C-60,-62 -20,-56 0,-56M52,-118C62,-134 84,-134 96,-120", 4, 0.7);
  const poles = [300, 530, 760, 990].map((x, index) => {
    const y = 480 + (index % 2) * 40;
    return (
      line(`M${x},250V610`, "brass", 13) +
      line(`M${x - 3},250V610`, "#fff1cc", 3, { op: 0.6 }) +
      at(x, y, horse, { scale: 1.06 })
    );
  });
  const stripes = repeat(10, (index) => {
    const [a, b] = [200 + index * 88, 200 + (index + 1) * 88];
    return shape(`M640,60L${a},236H${b}Z`, index % 2 === 0 ? "clay" : "cream");
  });
  const lights = repeat(21, (index) => {
    const x = 200 + index * 44;
    return disc(x, 282 + (index % 2) * 8, 26, "glow") + disc(x, 282 + (index % 2) * 8, 7, "#fff1cc");
  });
  return picture(
    nightSky({ seed: 821, moonAt: [1120, 130, 50] }),
    hills(590, 60, "#20404a", 822),
    disc(640, 430, 620, "glow"),
    box(200, 236, 880, 380, "#f3cf85", { op: 0.12 }),
    box(560, 250, 160, 370, "teal"),
    repeat(3, (index) => disc(640, 310 + index * 110, 40, "shade", { op: 0.8 })),
    ...poles,
    stripes,
    rim("M200,236L640,60L1080,236", 5, 0.7),
    shape(
      "M190,232H1090V262Q1056,296 1022,262Q988,296 954,262Q920,296 886,262Q852,296 818,262Q784,296 750,262Q716,296 682,262Q648,296 614,262Q580,296 546,262Q512,296 478,262Q444,296 410,262Q376,296 342,262Q308,296 274,262Q232,296 190,262Z",
      "teal",
    ),
    lights,
    line("M640,60V16", "brass", 8),
    shape("M640,16h70l-20,16l20,16h-70Z", "clay"),
    shape("M170,612H1110L1076,664H204Z", "woodside"),
    rim("M172,614H1108", 4, 0.7),
    meadow(823),
  );
}

/** From above: on one side, with a pillow where each is needed. */
function whilePregnant(): string {
  const back = "M400,250C560,130 900,110 1300,170";
  return picture(
    box(0, 0, 1280, 720, "wall"),
    box(0, 60, 1280, 620, "linen"),
    box(0, 60, 1280, 620, ink.night, { op: 0.34 }),
    line(
      "M60,130C300,110 500,140 700,120M80,610C320,640 560,600 800,636M900,90C1050,110 1180,90 1270,104",
      "#6d6653",
      7,
      {
        op: 0.45,
        blur: 2,
      },
    ),
    disc(180, 90, 520, "glow"),
    at(250, 540, pillow(430, 400), { turn: -4 }),
    // A long pillow behind the back.
    line("M440,170C620,60 900,50 1210,96", "#0a0f14", 110, { op: 0.3, blur: 12 }),
    line("M450,150C620,50 900,36 1210,80", "cream", 104),
    line("M470,118C640,26 900,6 1200,44", ink.light, 4, { op: 0.6 }),
    at(330, 350, face({ hair: "#4a2f20" }), { turn: 84, scale: 1.36 }),
    shape(
      `${back}V560C1180,560 1080,540 980,520C900,620 700,640 600,520C560,470 500,450 410,440C380,380 380,300 400,250Z`,
      "teal",
    ),
    shape("M620,400C700,380 860,400 900,500C860,590 700,610 620,520C590,480 590,420 620,400Z", "#7fb0ad", {
      op: 0.18,
      blur: 12,
    }),
    line(
      "M470,260C520,320 530,380 520,440M980,150C960,260 980,400 990,510M1130,156C1110,280 1130,420 1140,540",
      "#0d1a21",
      13,
      {
        op: 0.28,
        blur: 5,
      },
    ),
    rim(back, 5, 0.7),
    // The arm, and the hand on the bump.
    line("M452,392C540,380 620,420 690,470", "#35575a", 62),
    oval(716, 486, 42, 30, "skin", { turn: "rotate(24 716 486)" }),
    rim("M456,366C540,352 620,392 684,436", 3, 0.5),
    // One pillow between the knees.
    at(1100, 640, pillow(300, 110, "cream"), { turn: 5 }),
    shape("M0,0H1280V60H0Z", "#10191f"),
  );
}

/** Seven lids, and two are open. */
function weekOfTablets(): string {
  const days = repeat(7, (index) => {
    const x = 216 + index * 122;
    const isOpen = index < 2;
    return (
      box(x, 470, 112, 116, "#20343b", { r: 14 }) +
      (isOpen
        ? box(x + 4, 408, 104, 66, "glass", { r: 12 }) + rim(`M${x + 10},412h92`, 3, 0.6)
        : at(x + 40, 548, tablet(), { scale: 0.5 }) +
          at(x + 74, 562, tablet(), { scale: 0.46 }) +
          oval(x + 58, 522, 20, 12, "clay") +
          box(x, 470, 112, 116, "glass", { r: 14 }) +
          rim(`M${x + 12},474h88`, 3, 0.7)) +
      disc(x + 56, 630, 13, index % 2 === 0 ? "sun" : "moon")
    );
  });
  return picture(
    room([300, 180, 640]),
    window(
      360,
      190,
      420,
      270,
      box(0, 0, 1280, 720, "dawn") +
        disc(430, 220, 200, "glow") +
        disc(430, 226, 44, "sun") +
        hills(290, 40, "#5a6a52", 842),
    ),
    table(430),
    at(1050, 450, pillBottle(), { scale: 0.84 }),
    at(820, 450, glass(), { scale: 0.9 }),
    box(190, 458, 900, 206, "#0a0f14", { r: 30, op: 0.5, blur: 12 }),
    box(190, 446, 900, 214, "teal", { r: 30 }),
    days,
    rim("M194,476C196,456 206,450 222,448H1058C1076,450 1086,458 1088,478", 4, 0.7),
    at(1160, 660, tablet(), { scale: 1 }),
    at(130, 640, tablet(), { scale: 0.9 }),
  );
}

export const peopleCovers: Record<string, () => string> = {
  "a-door-in-a-dark-wood": nightmares,
  "a-quarter-past-two": quarterPastTwo,
  "under-the-duvet": underTheDuvet,
  "a-merry-go-round": merryGoRound,
  "a-pillow-for-the-bump": whilePregnant,
  "a-week-of-tablets": weekOfTablets,
};
