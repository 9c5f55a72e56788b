/** The size of an uploaded file (design, section 3). The page checks the same before it sends anything. */
export const PICTURE_MIN_BYTES = 1;
export const PICTURE_MAX_BYTES = 5 * 1024 * 1024;

/** What the picture is fitted into (specification, section 5, the hint of the field). */
export const PICTURE_MAX_WIDTH = 800;
export const PICTURE_MAX_HEIGHT = 400;
