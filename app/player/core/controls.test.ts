import { expect, test } from "vitest";

import { type Controls, goTo, leftText, positionText, toggle } from "./controls.ts";

/** An element as far as its controls use it. It plays once `load` was followed by `arrive`; `lose` is the end of the line. */
class FakeElement extends EventTarget {
  readonly HAVE_NOTHING = 0;
  readyState = 0;
  currentTime = 0;
  isLost = false;
  paused = true;

  load(): void {
    Object.assign(this, { readyState: 0, currentTime: 0, isLost: false });
  }
  play(): Promise<void> {
    this.paused = false;
    return Promise.resolve();
  }
  pause(): void {
    this.paused = true;
  }
  lose(): void {
    this.isLost = true;
  }
  arrive(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("loadedmetadata"));
  }
}

function openElement() {
  const element = new FakeElement();
  const controls: Controls = {
    element: element as unknown as HTMLMediaElement,
    skipSeconds: 15,
    seek: (seconds) => goTo(controls.element, seconds),
    read: () => ({
      seconds: element.currentTime,
      duration: 600,
      isPlaying: !element.paused && !element.isLost,
      isLost: element.isLost,
    }),
  };
  return { element, controls };
}

test("after a lost line Play goes on where it was, however many times it is tried", () => {
  const { element, controls } = openElement();
  element.arrive();
  toggle(controls);
  element.currentTime = 40;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    element.lose();
    toggle(controls);
    expect(element).toMatchObject({ currentTime: 0, paused: false });
  }
  element.arrive();
  expect(element.currentTime).toBe(40);
  element.currentTime = 50;
  element.lose();
  toggle(controls);
  element.arrive();
  expect(element.currentTime).toBe(50);
});

test("a place that was chosen before anything is loaded counts, and not one from before", () => {
  const { element, controls } = openElement();
  goTo(controls.element, 100);
  controls.seek(300);
  element.lose();
  toggle(controls);
  controls.seek(0);
  element.lose();
  toggle(controls);
  element.arrive();
  expect(element.currentTime).toBe(0);
  controls.seek(20);
  expect(element.currentTime).toBe(20);
});

test("what never began starts where its address says", () => {
  const { element, controls } = openElement();
  element.lose();
  toggle(controls);
  // A browser goes to the `#t=60` of an address before it reports the length.
  element.currentTime = 60;
  element.arrive();
  expect(element.currentTime).toBe(60);
});

test("a place is said in minutes and seconds, and the length with it", () => {
  expect(positionText({ seconds: 125, duration: 600 })).toBe("2 minutes 5 seconds of 10 minutes");
  expect(positionText({ seconds: 61.4, duration: 61.4 })).toBe("1 minute 1 second of 1 minute 1 second");
  expect(positionText({ seconds: 0, duration: 90 })).toBe("0 seconds of 1 minute 30 seconds");
  expect(positionText({ seconds: 59.6, duration: 2700 })).toBe("1 minute of 45 minutes");
  expect(positionText({ seconds: 0, duration: 0 })).toBe("not known yet");
});

test("what is left is said at the speed at which it plays, and a lost line in its place", () => {
  const progress = { seconds: 60, duration: 660, isPlaying: true, isLost: false };
  expect(leftText(progress, 1.25)).toBe("8 minutes left");
  expect(leftText({ ...progress, duration: 0 }, 1)).toBe("");
  expect(leftText({ ...progress, isLost: true }, 1)).toBe("We couldn't reach it. Press Play to try again.");
});
