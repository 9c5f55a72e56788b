import { test } from "vitest";
import { openHouse } from "../helpers/house.ts";
import { journeys, watch, walk, CODE, EMAIL, type Point } from "./journeys.ts";
import { prepareDraft } from "./visitor.ts";
test("count", async () => {
  let sum = 0;
  for (const j of journeys) {
    const points: Point[] = [];
    let on = false;
    const letters: any[] = [];
    const w = watch((p) => { if (on) points.push(p); }, (m) => letters.push(m));
    await using house = await openHouse("sqlite", { reach: w.reach, wrapCards: w.wrapCards });
    await house.rooms.codes.create({ code: CODE, seats: 5 });
    const token = await prepareDraft(house, { email: EMAIL, ...(j.isCorporate && { accountType: "corporate", code: CODE }) });
    on = true;
    await walk(j.steps, { rooms: house.rooms, token, clock: house.clock, tell: w.reach });
    console.log(j.name, points.length, points.join(" "));
    sum += points.length;
  }
  console.log(sum);
});
