import type { FieldMetadata } from "@conform-to/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { PICTURE_MAX_BYTES, PICTURE_MIN_BYTES } from "../../../../../server/members/avatars/limits.ts";
import { pictures } from "../../../../../server/refusals.ts";
import { FieldErrors } from "../../../../forms/field.tsx";
import forms from "../../../../forms/intent-form.module.css";
import styles from "./account.module.css";

type PictureFieldProps = { avatar: string | undefined; field: FieldMetadata<File | undefined> };

/** A file field. With script a picture can be dropped, is previewed, and is refused at once if it cannot be one. */
export function PictureField({ avatar, field }: PictureFieldProps) {
  const isReady = useHydrated();
  const { zone, input, chosen, fault, drag, take } = usePicture();
  const faults = fault ? [fault] : chosen ? undefined : field.errors;
  const { id, name, formId: form } = field;
  return (
    <div className={styles.picture}>
      {/* A screen reader would read the label and then the field of this name. */}
      <label htmlFor={id} aria-hidden="true">
        Profile Picture
      </label>
      <div ref={zone} className={styles.zone} data-ready={isReady || undefined} data-drag={drag}>
        {chosen && <Preview key={chosen.lastModified + chosen.name} file={chosen} />}
        <div>
          <p className={styles.call}>
            <strong>Click to upload</strong> or drag and drop
          </p>
          <p id={field.descriptionId} className={styles.quiet}>
            SVG, PNG, JPG or GIF (max. 800x400px)
          </p>
          <input
            ref={input}
            id={id}
            name={name}
            form={form}
            type="file"
            aria-label="Profile Picture"
            accept={pictureTypes.join(",")}
            aria-describedby={faults ? `${field.descriptionId} ${field.errorId}` : field.descriptionId}
            aria-invalid={faults !== undefined}
            onChange={(event) => take(event.currentTarget.files?.[0])}
          />
          <p className={styles.chosen} aria-live="polite">
            {chosen?.name}
          </p>
        </div>
        {drag === "wrong" && <p className={styles.veil}>{pictures.hovered}</p>}
      </div>
      {faults && <FieldErrors id={field.errorId} errors={faults} />}
      {avatar && (
        <button form="remove-picture" className={`${forms.plain} ${styles.remove}`}>
          Remove picture
        </button>
      )}
    </div>
  );
}

/** Twice its size on the page, for fine screens. */
const SIZE = 128;

/**
 * A canvas: an image element would need an address that our content security policy refuses. An SVG cannot be drawn so;
 * its name is shown instead.
 */
function Preview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isDrawn, setIsDrawn] = useState(true);
  useEffect(() => {
    let isWanted = true;
    // Some browsers do not know it, or only for other pictures.
    const read = async () => createImageBitmap(file);
    void read().then(
      (bitmap) => isWanted && draw(bitmap, canvas.current),
      () => isWanted && setIsDrawn(false),
    );
    return () => {
      isWanted = false;
    };
  }, [file]);
  if (!isDrawn) return null;
  return (
    <canvas
      ref={canvas}
      className={styles.face}
      width={SIZE}
      height={SIZE}
      role="img"
      aria-label="The picture you chose"
    />
  );
}

/** The largest square from the middle of the picture. */
function draw(bitmap: ImageBitmap, canvas: HTMLCanvasElement | null): void {
  const side = Math.min(bitmap.width, bitmap.height);
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  canvas?.getContext("2d")?.drawImage(bitmap, left, top, side, side, 0, 0, SIZE, SIZE);
  bitmap.close();
}

/** A dragged file near the zone, or over it, and acceptable or not. */
type Drag = "near" | "right" | "wrong";

/** With script: the chosen file, its fault, and a dragged file. */
function usePicture() {
  const zone = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File>();
  const [fault, setFault] = useState<string>();
  const [drag, setDrag] = useState<Drag>();

  function take(file: File | undefined): void {
    const found = file && checkPicture(file);
    setFault(found);
    setChosen(found ? undefined : file);
    if (found && input.current) choose(input.current, null);
  }

  const isOver = ({ target }: DragEvent) => zone.current?.contains(target as Node) === true;
  const onDragOver = useEffectEvent((event: DragEvent) => {
    const item = [...(event.dataTransfer?.items ?? [])].find(({ kind }) => kind === "file");
    if (!item || !event.dataTransfer) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = isOver(event) ? "copy" : "none";
    setDrag(isOver(event) ? (isPictureType(item.type) ? "right" : "wrong") : "near");
  });
  const onDrop = useEffectEvent((event: DragEvent) => {
    setDrag(undefined);
    const files = event.dataTransfer?.files;
    if (!files?.length) return;
    event.preventDefault();
    if (!isOver(event) || !input.current) return;
    choose(input.current, files);
    take(files[0]);
  });
  // The whole page listens: a file dropped beside the zone would replace the page and the typed text.
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    addEventListener("dragover", (event) => onDragOver(event), { signal });
    addEventListener("dragleave", ({ relatedTarget }) => relatedTarget ?? setDrag(undefined), { signal });
    addEventListener("drop", (event) => onDrop(event), { signal });
    return () => leaving.abort();
  }, []);

  return { zone, input, chosen, fault, drag, take };
}

/** As a person would, so that the form sees a pending change. */
function choose(input: HTMLInputElement, files: FileList | null): void {
  if (files) input.files = files;
  else input.value = "";
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Phones convert other pictures to JPEG. */
const pictureTypes = ["image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/** In any case (docs/behaviour.md, My Account). The server checks the bytes. */
const extensions = /\.(?:svg|png|jpe?g|gif|webp|avif|hei[cf])$/i;

/** `undefined` without a fault. */
function checkPicture({ name, size }: File): string | undefined {
  if (!extensions.test(name)) return pictures.unsupported;
  if (size > PICTURE_MAX_BYTES) return pictures["too-big"];
  return size < PICTURE_MIN_BYTES ? pictures["too-small"] : undefined;
}

/** Some browsers give no type before the drop. */
function isPictureType(type: string): boolean {
  return type === "" || pictureTypes.includes(type) || /^image\/hei[cf]$/.test(type);
}
