import { expect, test } from "vitest";

import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "./clock.ts";
import { LastingFault } from "./log.ts";

function openFault() {
  const log = createQuietLog();
  const clock = createTestClock("2026-11-20T03:00:00Z");
  const fault = new LastingFault({ log, clock });
  const fail = () => fault.note({ job: "send-mail" }, "a job failed");
  return { log, clock, fault, fail };
}

test("a fault of half a minute is logged as one warning and one recovery", () => {
  const { log, clock, fault, fail } = openFault();
  for (let second = 0; second < 30; second += 1) {
    fail();
    clock.advance(SECOND_IN_MS);
  }
  fault.end({ job: "send-mail" }, "a job works again");
  fault.end({ job: "send-mail" }, "a job works again");
  expect(log.lines).toEqual([
    { level: "warn", event: "a job failed", facts: { job: "send-mail" } },
    { level: "info", event: "a job works again", facts: { job: "send-mail", seconds: 30 } },
  ]);
});

test("a lasting fault is logged once as an error with its duration, and once when it is over", () => {
  const { log, clock, fault, fail } = openFault();
  for (let minute = 0; minute < 10; minute += 1) {
    fail();
    clock.advance(MINUTE_IN_MS);
  }
  fault.end({}, "a job works again");
  expect(log.lines).toEqual([
    { level: "warn", event: "a job failed", facts: { job: "send-mail" } },
    { level: "error", event: "a job failed, and it has lasted", facts: { job: "send-mail", seconds: 120 } },
    { level: "warn", event: "a job works again", facts: { seconds: 600 } },
  ]);
});

test("the next fault starts over", () => {
  const { log, clock, fault, fail } = openFault();
  fail();
  fault.end({}, "a job works again");
  clock.advance(60 * MINUTE_IN_MS);
  fail();
  expect(log.lines.map(({ level }) => level)).toEqual(["warn", "info", "warn"]);
});
