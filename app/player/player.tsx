import { createPart } from "../frame/late-part.tsx";
import "./player.css";

/** A film over its item's page. */
export const Player = createPart("player", async () => (await import("./film-player.tsx")).FilmPlayer);

/** A recording on its item's page. */
export const SoundPlayer = createPart("sound", async () => (await import("./sound-player.tsx")).SoundPlayer);
