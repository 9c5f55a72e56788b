import { expect, test, vi } from "vitest";

import { createGate, createMediaInFlight, LateTurnError } from "./gate.ts";

/** Work that goes on until a signal ends it, and the work under way. */
function createWorks() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  return {
    begun,
    start: (name: string) => () => {
      begun.push(name);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    },
    end: (name: string) => ends.get(name)?.resolve(name),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  };
}

test("runs a limited number at once, and queues the others in order", async () => {
  const gate = createGate(2);
  const { begun, start, end } = createWorks();
  const all = ["a", "b", "c", "d"].map((name) => gate(start(name)));
  expect(begun).toEqual(["a", "b"]);
  end("b");
  expect(await all[1]).toBe("b");
  await Promise.resolve();
  expect(begun).toEqual(["a", "b", "c"]);
  for (const name of ["a", "c"]) end(name);
  await all[2];
  await Promise.resolve();
  end("d");
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

test("failed work frees its place too", async () => {
  const gate = createGate(1);
  const { start, fail } = createWorks();
  const failing = gate(start("a"));
  const next = gate(async () => "b");
  fail("a");
  await expect(failing).rejects.toThrow("a");
  expect(await next).toBe("b");
  expect(await gate(async () => "c")).toBe("c");
});

test("newcomers cannot take a place that is being handed to the next in line", async () => {
  const gate = createGate(1);
  let count = 0;
  let most = 0;
  const work = async () => {
    count += 1;
    most = Math.max(most, count);
    await Promise.resolve();
    count -= 1;
  };
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      for (let turn = 0; turn < index % 4; turn += 1) await Promise.resolve();
      await gate(work);
      await gate(work);
    }),
  );
  expect(most).toBe(1);
});

test("work that waited too long is never started and holds no place", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const gate = createGate(1);
    const { begun, start, end } = createWorks();
    const running = gate(start("a"));
    const late = gate(start("b"), 5000).catch((error: unknown) => error);
    const next = gate(start("c"), 6000);
    vi.advanceTimersByTime(5000);
    expect(await late).toBeInstanceOf(LateTurnError);
    end("a");
    await running;
    await vi.waitFor(() => expect(begun).toEqual(["a", "c"]));
    vi.advanceTimersByTime(5000);
    end("c");
    expect(await next).toBe("c");
  } finally {
    vi.useRealTimers();
  }
});

test("limits the files in flight of each member, independently of others", () => {
  const inFlight = createMediaInFlight(2);
  const end = inFlight.begin(1);
  inFlight.begin(1);
  expect(inFlight.begin(1)).toBeUndefined();
  expect(inFlight.begin(2)).toBeDefined();

  end?.();
  end?.();
  expect(inFlight.begin(1), "one has ended").toBeDefined();
  expect(inFlight.begin(1), "ending it twice frees no second place").toBeUndefined();
});
