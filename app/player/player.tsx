import { createLateComponent } from "../frame/late-component.tsx";
import "./player.css";

/** A film over its item's page. */
export const Player = createLateComponent("player", async () => (await import("./film-player.tsx")).FilmPlayer);

/** A recording on its item's page. */
export const SoundPlayer = createLateComponent("sound", async () => (await import("./sound-player.tsx")).SoundPlayer);
