import { leftText, positionText, progressEvents, skip, toggle } from "./core/controls.ts";
import { startFading } from "./core/fading.ts";
import { listenForKeys } from "./core/keys.ts";
import { createListening, toControls } from "./core/listening.ts";
import { showOnLockScreen } from "./core/lock-screen.ts";
import { closeElsewhere } from "./core/menu.ts";
import { timerSettings } from "./core/settings.ts";
import { choiceText, offerChoices } from "./core/sleep-time.ts";
import { createSleepTimer } from "./core/sleep-timer.ts";
import { playAlone } from "./core/solo.ts";

/* Puts the player of `quiet-player.tsx` in place of the browser's own. It is part of its page: see docs/decisions/0021. */

const find = (selector: string) => document.querySelector(selector) as HTMLElement;
const element = find("audio") as HTMLAudioElement;
const player = find(".player");
const slider = find(".player input") as HTMLInputElement;
const times = find(".player details") as HTMLDetailsElement;
const choiceButtons = [...player.querySelectorAll<HTMLElement>("[role=group] button")];

const seconds = Number(player.dataset.seconds);
const length = element.loop ? { playMinutes: seconds / 60 } : { durationInSeconds: seconds };
const listening = createListening(element, length);
const controls = toControls(listening);
const timer = createSleepTimer("sound");
const listChoices = () => offerChoices(timerSettings.read().last);

/** Whether the place has been moved since its words were written. */
let isMoved = false;

function show(): void {
  const progress = controls.read();
  player.classList.toggle("playing", progress.isPlaying);
  find(".play .hidden").textContent = progress.isPlaying ? "Pause" : "Play";
  slider.disabled = progress.duration === 0;
  slider.max = String(Math.round(progress.duration));
  slider.value = String(Math.round(progress.seconds));
  // While it has the focus a screen reader says each change of these words, over the sound.
  if (isMoved || document.activeElement !== slider) slider.setAttribute("aria-valuetext", positionText(progress));
  isMoved = false;
  find(".left").textContent = leftText(progress, element.playbackRate);
}

function showTimer(): void {
  const { timer: set, announcement } = timer.read();
  const choices = listChoices();
  choices.forEach((choice, index) => {
    const button = choiceButtons[index];
    if (button) (button.querySelector("span") ?? button).textContent = choiceText(choice);
  });
  choiceButtons[0]?.setAttribute("aria-pressed", String(set?.choice === choices[0]));
  find(".none").hidden = !set;
  const status = find(".player [role=status]");
  if (status.textContent !== announcement) status.textContent = announcement;
}

// The button behind all choices is “No timer”.
choiceButtons.forEach((button, index) =>
  button.addEventListener("click", () => {
    times.open = false;
    timer.choose(listChoices()[index], listening);
  }),
);
timer.subscribe(showTimer);
closeElsewhere(times);

find(".play").addEventListener("click", () => toggle(controls));
find(".back").addEventListener("click", () => skip(controls, -controls.skipSeconds));
find(".forward").addEventListener("click", () => skip(controls, controls.skipSeconds));
slider.addEventListener("keydown", () => (isMoved = true));
slider.addEventListener("input", () => {
  isMoved = true;
  controls.seek(slider.valueAsNumber);
});
listenForKeys(player, controls);
showOnLockScreen(controls, { title: element.getAttribute("aria-label") ?? "", picture: undefined });
playAlone(element);
element.addEventListener("play", () => timer.begin(), { once: true });
startFading({ ...listening, ...length, timer });
// After the fading, which counts.
for (const event of progressEvents) element.addEventListener(event, show, event === "error");

show();
showTimer();
element.controls = false;
player.hidden = false;
