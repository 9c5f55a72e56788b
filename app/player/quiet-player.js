/**
 * The player of a quiet page, in place of the browser's own. It stands in the page itself, so nothing more is kept with that, and no
 * deployment takes it away. It has the names, the keys and the timer of the player on an item's page (`sound-player.tsx`).
 */

const FADE_SECONDS = 30;
const RISE_SECONDS = 4;
const SKIP_SECONDS = 15;
const STEP_SECONDS = 5;

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(`.player ${selector}`));
const player = /** @type {HTMLElement} */ (document.querySelector(".player"));
const sound = /** @type {HTMLAudioElement} */ (document.querySelector("audio"));
const slider = /** @type {HTMLInputElement} */ (find("input"));
const times = /** @type {HTMLDetailsElement} */ (find("details"));

/** For how many seconds a loop has played, and up to when that is counted. */
let played = 0;
let countedAt = Date.now();
let wasPlaying = false;
/** The share of the volume that is heard. */
let heard = 1;
let isLost = false;
/** @type {{ choice: string, setAt: number } | undefined} */
let timer;

const store = {
  /** @param {string} key */
  read(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  /** @param {string} key @param {string} value */
  write(key, value) {
    try {
      localStorage.setItem(key, value);
    } catch {
      // The browser keeps nothing for this site.
    }
  },
};

/** The whole of it, in seconds; of a loop the time that it plays for. */
const total = () => (!sound.loop && Number.isFinite(sound.duration) ? sound.duration : Number(player.dataset.seconds));
const place = () => (sound.loop ? Math.min(played, total()) : sound.currentTime);

function timerLeft() {
  if (!timer) return Infinity;
  return timer.choice === "end" ? total() - place() : Number(timer.choice) * 60 - (Date.now() - timer.setAt) / 1000;
}

/** @param {number} seconds */
function seek(seconds) {
  const to = Math.min(Math.max(0, seconds), total());
  played = to;
  sound.currentTime = sound.loop ? to % (sound.duration || 1) : to;
  show();
  describePlace();
}

function toggle() {
  if (!sound.paused && !isLost) return sound.pause();
  if (isLost) {
    const { currentTime } = sound;
    // At 0 after an attempt that failed: then an earlier one has left where to go on.
    if (currentTime > 0)
      sound.addEventListener("loadedmetadata", () => (sound.currentTime = currentTime), { once: true });
    sound.load();
  }
  sound.play().catch(() => undefined);
}

/** Counts, fades and ends by the clock: a page in the background is asked seldom. */
function tick() {
  const passed = (Date.now() - countedAt) / 1000;
  countedAt = Date.now();
  if (wasPlaying) played += passed;
  // While nothing plays the timer waits (`fading.ts`). A device that slept tells of a pause late.
  if (timer && (!wasPlaying || sound.paused)) timer.setAt += passed * 1000;
  wasPlaying = !sound.paused;
  const left = Math.min(sound.loop ? total() - played : Infinity, timerLeft());
  if (left > 0) heard = Math.min((Math.min(left, FADE_SECONDS) / FADE_SECONDS) ** 2, heard + passed / RISE_SECONDS);
  else {
    if (timerLeft() <= 0) timer = undefined;
    sound.pause();
    heard = 1;
  }
  if (wasPlaying) sound.volume = heard;
  show();
}

/** @param {number} seconds */
function leftText(seconds) {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "less than a minute left";
  const parts = /** @type {const} */ ([
    [Math.floor(minutes / 60), "hour"],
    [minutes % 60, "minute"],
  ]);
  const words = parts.map(([count, unit]) => count > 0 && `${count} ${unit}${count === 1 ? "" : "s"}`);
  return `${words.filter(Boolean).join(" ")} left`;
}

function describePlace() {
  slider.setAttribute("aria-valuetext", total() > 0 ? leftText(total() - place()) : "not known yet");
}

function show() {
  const isPlaying = !sound.paused && !isLost;
  player.classList.toggle("playing", isPlaying);
  find(".play .name").textContent = isPlaying ? "Pause" : "Play";
  const left = total() > 0 ? leftText(total() - place()) : "";
  slider.max = String(Math.round(total()));
  slider.value = String(Math.round(place()));
  slider.disabled = !(total() > 0);
  // A screen reader reads each change of a focused control aloud, over the sound.
  if (document.activeElement !== slider || sound.paused) describePlace();
  find(".left").textContent = isLost ? "It could not be reached. Play tries again." : left;
  for (const button of player.querySelectorAll("[data-choice]"))
    button.ariaPressed = String(button instanceof HTMLElement && button.dataset.choice === timer?.choice);
}

/** @param {string | undefined} choice */
function choose(choice = "") {
  tick();
  times.open = false;
  const isOff = timer?.choice === choice;
  timer = isOff ? undefined : { choice, setAt: Date.now() };
  if (!isOff) store.write("sleep-timer", choice);
  find("[role=status]").textContent = isOff
    ? "The timer is off."
    : `Sound fades out at the end of ${choice === "end" ? "this item" : `${choice} minutes`}.`;
  show();
}

/** A tap or a key in the last half minute of a timer gives its time again. */
function giveAgain() {
  const left = timerLeft();
  const isFading = timer?.choice !== "end" && left > 0 && left < FADE_SECONDS;
  if (timer && isFading) timer.setAt = Date.now();
  return isFading;
}

/** @type {Partial<Record<string, () => void>>} */
const keys = {
  " ": toggle,
  k: toggle,
  j: () => seek(place() - SKIP_SECONDS),
  l: () => seek(place() + SKIP_SECONDS),
  arrowleft: () => seek(place() - STEP_SECONDS),
  arrowright: () => seek(place() + STEP_SECONDS),
  m: () => (sound.muted = !sound.muted),
};

player.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const { target } = event;
  const key = event.key.toLowerCase();
  if (key === "escape" && times.open) {
    times.open = false;
    return times.querySelector("summary")?.focus();
  }
  const act = /^\d$/.test(key) ? () => seek((total() * Number(key)) / 10) : keys[key];
  const isTargets =
    target === slider
      ? /^(?: |arrow)/.test(key)
      : key === " " && target instanceof Element && target.matches("button, summary");
  if (!act || isTargets) return;
  event.preventDefault();
  act();
});

find(".play").addEventListener("click", toggle);
find(".back").addEventListener("click", keys.j ?? toggle);
find(".forward").addEventListener("click", keys.l ?? toggle);
slider.addEventListener("input", () => seek(slider.valueAsNumber));
for (const button of player.querySelectorAll("[data-choice]"))
  button.addEventListener("click", () => button instanceof HTMLElement && choose(button.dataset.choice));
for (const event of ["pointerdown", "focusin"])
  document.addEventListener(event, ({ target }) => {
    if (target instanceof Node && !times.contains(target)) times.open = false;
  });
for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, giveAgain, true);

sound.addEventListener("play", () => {
  if (sound.loop && played >= total()) played = 0;
  // One thing plays at a time, over all tabs (`solo.ts`).
  store.write("last-played", String(Math.random()));
  showOnLockScreen();
});
addEventListener("storage", ({ key }) => key === "last-played" && sound.pause());
// Its sources fail one by one, and such errors do not bubble.
sound.addEventListener(
  "error",
  () => (isLost = sound.error !== null || sound.networkState === HTMLMediaElement.NETWORK_NO_SOURCE),
  true,
);
sound.addEventListener("loadedmetadata", () => (isLost = false));
for (const event of ["play", "pause", "timeupdate", "durationchange", "seeked", "ended", "error", "emptied"])
  sound.addEventListener(event, tick, true);
document.addEventListener("visibilitychange", tick);
setInterval(() => timer && tick(), 500);

function showOnLockScreen() {
  const { mediaSession: session } = navigator;
  if (!session) return;
  session.metadata = new MediaMetadata({ title: sound.ariaLabel ?? "" });
  /** @type {Partial<Record<MediaSessionAction, MediaSessionActionHandler>>} */
  const handlers = {
    play: () => void sound.play(),
    // Headphones have one button: in the last half minute of a timer it asks for more time.
    pause: () => giveAgain() || sound.pause(),
    seekbackward: keys.j ?? toggle,
    seekforward: keys.l ?? toggle,
  };
  for (const [action, handler] of Object.entries(handlers)) {
    try {
      session.setActionHandler(/** @type {MediaSessionAction} */ (action), handler);
    } catch {
      // Browsers throw for an action that they do not know.
    }
  }
}

const last = store.read("sleep-timer");
const others = [...player.querySelectorAll("[data-choice]")].filter((button) => button.closest("details"));
const first = find("[data-choice]");
// The last choice is the button; it changes places with the usual one.
for (const button of others) {
  if (!(button instanceof HTMLElement) || last === null || button.dataset.choice !== last) continue;
  const label = first.querySelector("span");
  const words = button.textContent;
  button.textContent = label?.textContent ?? "";
  if (label) label.textContent = words;
  [first.dataset.choice, button.dataset.choice] = [last, first.dataset.choice];
}
sound.controls = false;
player.hidden = false;
show();
