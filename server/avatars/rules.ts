/** What a picture may weigh as it is uploaded (design, section 3). The page says the same before anything is sent. */
export const PICTURE_MIN_BYTES = 1;
export const PICTURE_MAX_BYTES = 5 * 1024 * 1024;

/** What it becomes (specification, section 5, the hint of the field). */
export const PICTURE_MAX_WIDTH = 800;
export const PICTURE_MAX_HEIGHT = 400;
