/** docs/behaviour.md, My Account. The page checks the size before it sends a file. */
export const PICTURE_MIN_BYTES = 1;
export const PICTURE_MAX_BYTES = 5 * 1024 * 1024;

/** The picture is fitted into this frame (docs/behaviour.md, My Account). */
export const PICTURE_MAX_WIDTH = 800;
export const PICTURE_MAX_HEIGHT = 400;
