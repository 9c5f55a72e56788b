/** The size of an uploaded file (docs/behaviour.md, My Account). The page checks the same before it sends anything. */
export const PICTURE_MIN_BYTES = 1;
export const PICTURE_MAX_BYTES = 5 * 1024 * 1024;

/** The frame that the picture is fitted into (docs/behaviour.md, My Account). */
export const PICTURE_MAX_WIDTH = 800;
export const PICTURE_MAX_HEIGHT = 400;
