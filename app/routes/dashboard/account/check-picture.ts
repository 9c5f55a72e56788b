import { PICTURE_MAX_BYTES, PICTURE_MIN_BYTES } from "../../../../server/avatars/rules.ts";
import { pictures } from "../../../../server/refusals.ts";

/** What a browser offers to choose from. Telephones turn what is not among them into JPEG by themselves. */
export const pictureTypes = ["image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/** Spec, section 5: by extension, whatever its case. The server looks at the bytes. */
const extensions = /\.(?:svg|png|jpe?g|gif|webp|avif|hei[cf])$/i;

/** What is wrong with a picture before it is sent, in the spec's words. */
export function checkPicture({ name, size }: File): string | undefined {
  if (!extensions.test(name)) return pictures.spec.unsupported;
  if (size > PICTURE_MAX_BYTES) return pictures.spec["too-big"];
  return size < PICTURE_MIN_BYTES ? pictures.spec["too-small"] : undefined;
}

/** Whether what is dragged may be a picture; some browsers do not say what it is before it is dropped. */
export function isPictureType(type: string): boolean {
  return type === "" || pictureTypes.includes(type) || /^image\/hei[cf]$/.test(type);
}
