/** Each is drawn above its origin, unless noted. */
import { footprint } from "./bedroom.ts";
import {
  at,
  box,
  chance,
  disc,
  ink,
  line,
  onCircle,
  oval,
  pointOnCircle,
  repeat,
  rim,
  ring,
  round,
  shape,
  within,
} from "./paint.ts";

/** 470 high, about its middle; `level` from 0 to 1. */
export function thermometer(level: number): string {
  const top = round(150 - level * 300);
  const marks = repeat(11, (index) =>
    line(`M34,${150 - index * 30}h${index % 5 === 0 ? 34 : 20}`, "#5d4a2e", index % 5 === 0 ? 5 : 3, { op: 0.8 }),
  );
  return (
    box(-88, -236, 176, 480, "#0a0f14", { r: 26, op: 0.5, blur: 12 }) +
    box(-90, -250, 180, 490, "cream", { r: 24 }) +
    rim("M-88,-226C-88,-240 -80,-248 -66,-248H66C80,-248 88,-240 88,-226", 4, 0.8) +
    disc(0, -222, 8, "#5d4a2e") +
    marks +
    box(-17, -196, 34, 380, "#8fa6a2", { r: 17 }) +
    box(-13, -192, 26, 372, "#2a3d44", { r: 13 }) +
    disc(0, 188, 42, "#8fa6a2") +
    disc(0, 188, 36, "clay") +
    box(-10, top, 20, 188 - top, "#c06a4a", { r: 10 }) +
    line("M-14,172Q-22,184 -16,198", ink.cream, 5, { op: 0.7 })
  );
}

export function foldingFan(): string {
  const leaves = repeat(11, (index) => {
    const [a, b] = [-75 + index * 13.6, -75 + (index + 1) * 13.6];
    const [p, q, r, s] = [pointOnCircle(a, 120), pointOnCircle(a, 300), pointOnCircle(b, 300), pointOnCircle(b, 120)];
    return (
      shape(`M${p}L${q}L${r}L${s}Z`, index % 2 === 0 ? "clay" : "#8a4f3b") +
      line(`M0,0L${pointOnCircle(a + 6.8, 296)}`, "#3a2b20", 6) +
      disc(...onCircle(a + 6.8, 232), 7, ink.gold, { op: 0.8 })
    );
  });
  const [from, to] = [pointOnCircle(-75, 300), pointOnCircle(74.6, 300)];
  return leaves + rim(`M${from}A300,300 0 0 1 ${to}`, 5, 0.75) + disc(0, 0, 13, "brass");
}

/** 520 high. */
export function deskFan(): string {
  const blade = "M0,-14C-60,-60 -92,-130 -40,-160C10,-182 46,-120 14,-20Z";
  const wires = repeat(24, (index) => {
    const [x, y] = onCircle(index * 15, 176);
    return `M0,0L${x},${y}`;
  });
  return (
    footprint(150) +
    shape("M-130,0C-120,-34 -50,-40 -26,-54H26C50,-40 120,-34 130,0Z", "steel") +
    box(-15, -170, 30, 120, "steel") +
    at(
      0,
      -330,
      disc(0, 0, 192, "#14232c", { op: 0.75 }) +
        repeat(
          4,
          (index) =>
            `<g transform="rotate(${index * 90 + 20})">${shape(blade, "teal") + rim("M-36,-156C6,-176 40,-120 14,-30", 3, 0.45)}</g>`,
        ) +
        line(wires, "#9fb8b2", 2, { op: 0.42 }) +
        ring(0, 0, 120, "#9fb8b2", 2.4, { op: 0.45 }) +
        ring(0, 0, 190, "steel", 13) +
        line("M-164,-96A190,190 0 0 1 40,-186", ink.light, 4, { op: 0.75 }) +
        disc(0, 0, 38, "brass") +
        disc(-10, -10, 10, ink.cream, { op: 0.6 }),
    )
  );
}

export function radiator(): string {
  const ribs = repeat(7, (index) => {
    const x = -230 + index * 62;
    return (
      box(x, -290, 52, 270, "cream", { r: 20 }) +
      box(x + 34, -284, 14, 258, "#6d6d62", { r: 7, op: 0.4 }) +
      rim(`M${x + 6},-276Q${x + 26},-296 ${x + 46},-276`, 3, 0.6)
    );
  });
  return (
    box(-226, -20, 18, 24, "#6d6d62") +
    box(186, -20, 18, 24, "#6d6d62") +
    line("M-230,-52H250M250,-52V0", "#9a917a", 14) +
    ribs +
    at(
      270,
      -60,
      box(-30, -84, 60, 120, "clay", { r: 18 }) +
        repeat(5, (index) => line(`M-22,${-66 + index * 20}h44`, "#4a2b22", 4, { op: 0.5 })) +
        rim("M-28,-70Q0,-96 28,-70", 3, 0.7) +
        disc(0, -94, 12, "cream"),
    )
  );
}

export function teddy(): string {
  const paw = (x: number, y: number, turn: number) =>
    at(x, y, oval(0, 0, 46, 74, "fur") + oval(0, 34, 24, 28, "#e0bd86", { op: 0.75 }), { turn });
  return (
    footprint(150) +
    oval(0, -112, 104, 112, "fur") +
    oval(0, -98, 62, 72, "#e0bd86", { op: 0.6 }) +
    paw(-104, -150, 34) +
    paw(104, -150, -34) +
    at(-88, -38, disc(0, 0, 54, "fur") + disc(-4, 2, 30, "#e0bd86", { op: 0.75 })) +
    at(88, -38, disc(0, 0, 54, "fur") + disc(4, 2, 30, "#e0bd86", { op: 0.75 })) +
    [-74, 74].map((x) => disc(x, -348, 40, "fur") + disc(x, -344, 22, "#7c5434")).join("") +
    oval(0, -274, 106, 94, "fur") +
    oval(0, -246, 46, 36, "#e6c893") +
    oval(0, -264, 17, 12, "#2a1d13") +
    line("M0,-252V-238M-18,-236Q0,-222 18,-236", "#2a1d13", 4) +
    line("M-54,-284q12,10 24,0M30,-284q12,10 24,0", "#2a1d13", 5) +
    shape("M-62,-184L0,-168L-58,-146ZM62,-184L0,-168L58,-146Z", "clay") +
    disc(0, -167, 13, "clay") +
    rim("M-96,-310C-80,-350 -30,-370 10,-368", 4, 0.6)
  );
}

export function duck(): string {
  return (
    shape(
      "M-120,-60C-130,-10 -80,0 0,0C90,0 130,-20 128,-84C126,-104 110,-110 92,-96C76,-84 50,-86 30,-96C-20,-120 -106,-110 -120,-60Z",
      "brass",
    ) +
    disc(-54, -136, 66, "brass") +
    shape("M-110,-150C-150,-150 -160,-132 -158,-124C-140,-112 -118,-114 -104,-122Z", "clay") +
    disc(-74, -154, 8, "#2a1d13") +
    line("M-10,-70C20,-40 70,-44 90,-70", "#a8752f", 6, { op: 0.7 }) +
    rim("M-100,-176C-80,-204 -30,-204 -6,-170", 4, 0.8)
  );
}

export function pillBottle(): string {
  const pills = chance(4);
  const inside = repeat(16, () =>
    oval(round(-74 + pills() * 148), round(-36 - pills() * 92), 26, 17, "cream", {
      turn: `rotate(${round(pills() * 60 - 30)} 0 -80)`,
    }),
  );
  return (
    footprint(120) +
    shape("M-104,-232C-104,-250 104,-250 104,-232V-18C104,6 -104,6 -104,-18Z", "ochre") +
    within("M-104,-200H104V-18C104,6 -104,6 -104,-18Z", inside) +
    box(-104, -196, 208, 116, "cream") +
    shape("M10,-176a40,40 0 1 0 32,60a34,34 0 0 1 -32,-60Z", "#35575a") +
    line("M-84,-116h52M-84,-136h40", "#8f8768", 6, { op: 0.7 }) +
    box(-94, -252, 188, 22, "ochre") +
    box(-112, -326, 224, 82, "linen", { r: 12 }) +
    repeat(11, (index) => line(`M${-96 + index * 19},-312v56`, "#6d6653", 4, { op: 0.4 })) +
    rim("M-110,-316Q-108,-326 -98,-326H98Q110,-326 110,-314", 4, 0.8) +
    line("M-86,-226V-30", ink.cream, 8, { op: 0.4 })
  );
}

export function tablet(): string {
  return (
    oval(0, 0, 44, 24, "#0a0f14", { op: 0.4, blur: 5 }) +
    oval(0, -10, 44, 25, "linen") +
    oval(0, -16, 44, 24, "cream") +
    line("M-26,-4L26,-27", "#8f8768", 3, { op: 0.7 })
  );
}

/** With its hose, 400 wide. */
export function cpapMachine(): string {
  return (
    footprint(210) +
    shape("M-200,-10V-130C-200,-176 -170,-190 -130,-190H140C180,-190 200,-170 200,-130V-10Q0,8 -200,-10Z", "cream") +
    shape("M60,-190H140C180,-190 200,-170 200,-130V-10Q140,-2 60,-2Z", "steel") +
    box(-164, -150, 178, 84, "#12222b", { r: 12 }) +
    line("M-146,-108H-120L-108,-132L-92,-84L-78,-108H-8", "#8fc7a0", 5) +
    disc(-130, -36, 13, "teal") +
    disc(-84, -36, 13, "teal") +
    disc(130, -98, 36, "#2f464e") +
    ring(130, -98, 36, ink.light, 3, { op: 0.5 }) +
    rim("M-198,-128C-198,-172 -170,-188 -130,-188H140C176,-188 198,-168 198,-132", 4, 0.75)
  );
}

export function hose(d: string, width = 40): string {
  return (
    line(d, "#1a2a31", width + 8, { op: 0.7 }) +
    line(d, "#8ba5a2", width) +
    `<path d="${d}" fill="none" stroke="#4d666a" stroke-width="${width}" stroke-dasharray="5 11"/>` +
    line(d, "#e8efe2", 4, { op: 0.4 })
  );
}

/** From the front, about its middle, 420 high, with its straps. */
export function mask(): string {
  const cushion =
    "M0,-128C52,-128 80,-40 112,40C134,104 80,136 0,136C-80,136 -134,104 -112,40C-80,-40 -52,-128 0,-128Z";
  return (
    line("M-86,40C-190,20 -300,40 -400,130M86,40C190,20 300,40 400,130", "#2f5962", 34) +
    line("M-30,-190C-150,-230 -290,-190 -400,-90M30,-190C150,-230 290,-190 400,-90", "#2f5962", 34) +
    line("M-30,-198C-150,-238 -290,-198 -400,-98M30,-198C150,-238 290,-198 400,-98", ink.light, 3, { op: 0.4 }) +
    shape("M-44,-214H44L30,-96H-30Z", "steel") +
    line("M-40,-212H40", ink.light, 4, { op: 0.6 }) +
    shape(cushion, "#cfdcd2") +
    shape(cushion, "glass") +
    at(0, 6, shape(cushion, "steel"), { scale: 0.74 }) +
    at(0, 6, rim("M0,-128C-52,-128 -80,-40 -112,40", 6, 0.6), { scale: 0.74 }) +
    rim("M0,-128C-52,-128 -80,-40 -112,40C-124,80 -110,110 -80,124", 4, 0.85) +
    disc(0, 42, 50, "#2f464e") +
    ring(0, 42, 50, ink.light, 3, { op: 0.55 })
  );
}

/** 460 wide, about its middle. */
export function calendar(marks: string): string {
  return (
    box(-222, -190, 452, 410, "#0a0f14", { r: 22, op: 0.5, blur: 12 }) +
    box(-230, -206, 460, 416, "cream", { r: 20 }) +
    shape("M-230,-186Q-230,-206 -210,-206H210Q230,-206 230,-186V-126H-230Z", "clay") +
    repeat(5, (index) => box(-170 + index * 80, -240, 18, 62, "brass", { r: 9 })) +
    marks +
    rim("M-228,-184Q-228,-204 -208,-204H208Q228,-204 228,-184", 4, 0.7)
  );
}

/** Flying to the right and up; about its middle, 560 long. */
export function plane(): string {
  return (
    shape("M-60,-16L-250,-120H-206L20,-22Z", "#2f464e") +
    shape("M-270,-24L-322,-126H-272L-206,-30Z", "steel") +
    shape(
      "M-286,-20C-280,-44 -220,-52 0,-52C140,-52 230,-44 276,-4C236,34 140,40 0,40C-160,40 -292,14 -286,-20Z",
      "cream",
    ) +
    shape("M-286,-10C-200,14 40,20 270,4C236,36 140,40 0,40C-150,40 -276,18 -286,-10Z", "#6f7f78", { op: 0.55 }) +
    shape("M-30,10L-210,150H-156L80,16Z", "steel") +
    rim("M-284,-24C-270,-46 -200,-52 0,-52C140,-52 226,-44 272,-8", 4, 0.75) +
    repeat(9, (index) => disc(-180 + index * 40, -20, 8, ink.light)) +
    shape("M206,-34C226,-32 242,-22 250,-14L214,-14Z", "#16232c") +
    line("M-154,150L80,16", ink.light, 3, { op: 0.5 })
  );
}

/** In its envelope, 420 wide, about its middle. */
export function letter(): string {
  return (
    box(-206, -120, 420, 270, "#0a0f14", { op: 0.45, blur: 12 }) +
    box(-190, -176, 380, 250, "cream", { r: 6 }) +
    repeat(4, (index) => line(`M-150,${-136 + index * 30}H${index === 0 ? -20 : 140}`, "#8f8768", 7, { op: 0.65 })) +
    shape("M-210,-60L0,70L210,-60V140H-210Z", "linen") +
    shape("M-210,140L-20,30M210,140L20,30", "none") +
    line("M-210,140L-30,28M210,140L30,28", "#8f8768", 4, { op: 0.55 }) +
    rim("M-210,-60L0,70L210,-60", 4, 0.7)
  );
}

/** 460 wide; its parts share one frame. */
export function stethoscope(): string {
  const tube =
    "M-150,-150C-170,-20 -120,60 -40,70C40,60 90,-20 70,-150M-40,70C-50,190 60,220 130,170C190,128 150,50 190,20";
  return (
    line(tube, "#0a0f14", 34, { op: 0.4, blur: 5 }) +
    line(tube, "#2f5962", 26) +
    line(tube, "#7fb0ad", 5, { op: 0.4 }) +
    line("M-150,-150C-146,-220 -180,-240 -196,-250M70,-150C66,-220 100,-240 116,-250", "#9fb3ad", 14) +
    disc(-200, -254, 17, "#1d3a44") +
    disc(120, -254, 17, "#1d3a44") +
    disc(200, 8, 66, "steel") +
    disc(200, 8, 48, "brass") +
    disc(200, 8, 36, "steel") +
    line("M150,-26A66,66 0 0 1 210,-56", ink.light, 5, { op: 0.8 })
  );
}

/** Worn by a finger, about its middle, 420 long. */
export function oximeter(): string {
  return (
    box(-206, -70, 420, 170, "#0a0f14", { r: 50, op: 0.5, blur: 12 }) +
    box(-210, 4, 420, 86, "steel", { r: 40 }) +
    box(-210, -96, 420, 120, "cream", { r: 44 }) +
    box(-120, -74, 240, 76, "#0f1c24", { r: 14 }) +
    line("M-100,-36H-58L-42,-62L-22,-14L-6,-36H30L44,-54L60,-26L70,-36H100", "#8fc7a0", 6) +
    rim("M-208,-56C-206,-84 -190,-94 -166,-94H166C190,-94 206,-84 208,-58", 4, 0.8)
  );
}

/** Its quill is at the origin; it grows up and to the right. */
export function feather(): string {
  const vane = "M26,-60C-40,-200 30,-380 190,-500C230,-380 210,-190 60,-76Z";
  const barbs = repeat(12, (index) => {
    const t = index / 12;
    const [x, y] = [44 + t * 130, -90 - t * 360];
    return `M${round(x)},${round(y)}l${round(-46 + t * 20)},${round(-36)}M${round(x)},${round(y)}l${round(46 - t * 26)},${round(-30)}`;
  });
  return (
    shape(vane, "cream") +
    line(barbs, "#8f8768", 3, { op: 0.45 }) +
    line("M0,0C40,-110 90,-260 186,-486", "#9a8a62", 6) +
    rim("M26,-60C-40,-200 30,-380 190,-500", 3, 0.7)
  );
}

/** About its middle, its thread running to `end`. */
export function wool(end: string): string {
  const winds = [
    "M-130,-60C-60,-130 70,-130 132,-50M-144,-10C-60,-90 80,-90 146,0M-136,50C-50,-30 90,-20 132,64",
    "M-60,-132C-120,-40 -110,70 -50,136M0,-146C-60,-50 -50,70 10,146M62,-132C10,-40 20,70 76,126",
    "M-110,96C-20,110 70,70 128,70M-80,122C0,130 60,110 104,102",
  ];
  return (
    oval(0, 142, 150, 18, "#0a0f14", { op: 0.5, blur: 12 }) +
    line(end, "#c07f50", 9) +
    disc(0, 0, 146, "clay") +
    winds.map((d) => line(d, "#e0a37c", 8, { op: 0.6 }) + line(d, "#5a3428", 3, { op: 0.4 })).join("") +
    rim("M-120,-82A146,146 0 0 1 40,-140", 5, 0.7)
  );
}

/** About its middle, 220 high. */
export function skyLantern(): string {
  return (
    disc(0, 20, 200, "glow") +
    shape("M-66,-104C-40,-124 40,-124 66,-104C88,-40 84,40 56,100H-56C-84,40 -88,-40 -66,-104Z", "shade") +
    shape("M-56,100C-84,40 -88,-40 -66,-104C-40,-124 -20,-120 -10,-120C-40,-40 -40,40 -20,100Z", "#c98746", {
      op: 0.5,
    }) +
    oval(0, 96, 56, 10, "#fff1cc") +
    line("M-20,-118C-40,-40 -38,40 -22,98M26,-118C44,-40 40,40 24,98", "#b9792c", 3, { op: 0.6 })
  );
}

/** On its cushion, 420 wide. */
export function singingBowl(): string {
  return (
    oval(0, 60, 300, 26, "#0a0f14", { op: 0.55, blur: 12 }) +
    shape("M-260,20C-280,-20 280,-20 260,20C270,70 180,78 0,78C-180,78 -270,70 -260,20Z", "clay") +
    line("M-250,30Q0,58 250,30", "#5a3428", 5, { op: 0.6 }) +
    shape("M-210,-170C-214,-60 -130,14 0,14C130,14 214,-60 210,-170Z", "brass") +
    oval(0, -170, 210, 42, "#4a3420") +
    oval(0, -166, 196, 34, "#2e2118") +
    line("M-210,-170A210,42 0 0 1 210,-170", ink.light, 5, { op: 0.9 }) +
    line("M-196,-120Q0,-70 196,-120M-186,-98Q0,-48 186,-98", "#80592b", 4, { op: 0.7 }) +
    line("M-170,-110C-150,-50 -110,-20 -70,-8", "#fff1cc", 9, { op: 0.45 }) +
    at(150, -176, box(0, -13, 260, 26, "wood", { r: 13 }) + box(-40, -20, 110, 40, "clay", { r: 18 }), { turn: -34 })
  );
}
