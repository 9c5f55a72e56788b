import { useRef, useState, type DragEvent } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { FieldErrors } from "../../../forms/field.tsx";
import { href } from "../../../paths.ts";
import { Icon } from "../../../ui/icons.tsx";
import { checkPicture, isPictureType, pictureTypes } from "./check-picture.ts";
import { Preview } from "./preview.tsx";
import styles from "./account.module.css";

type PictureFieldProps = { avatar: string | undefined; errors: string[] | undefined };

/**
 * A picture to upload. By itself it is a field for a file; with script one can drop a picture on it and sees it before it is
 * saved, and what cannot be one is refused at once.
 */
export function PictureField({ avatar, errors }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const isReady = useHydrated();
  const [chosen, setChosen] = useState<File>();
  const [fault, setFault] = useState<string>();
  const [hover, setHover] = useState<"right" | "wrong">();
  const faults = fault ? [fault] : chosen ? undefined : errors;

  function take(file: File | undefined): void {
    const found = file && checkPicture(file);
    setFault(found);
    setChosen(found ? undefined : file);
    if (found && input.current) choose(input.current, null);
  }

  function onDragOver(event: DragEvent): void {
    const item = [...event.dataTransfer.items].find(({ kind }) => kind === "file");
    if (!item) return;
    event.preventDefault();
    setHover(isPictureType(item.type) ? "right" : "wrong");
  }

  function onDrop(event: DragEvent): void {
    setHover(undefined);
    const { files } = event.dataTransfer;
    if (files.length === 0 || !input.current) return;
    event.preventDefault();
    choose(input.current, files);
    take(files[0]);
  }

  return (
    <div className={styles.picture}>
      <label htmlFor="picture">Profile Picture</label>
      <div className={styles.row}>
        <div className={styles.face}>
          {chosen ? <Preview key={chosen.lastModified + chosen.name} file={chosen} /> : <Face avatar={avatar} />}
        </div>
        <div
          className={styles.zone}
          data-ready={isReady || undefined}
          data-hover={hover}
          onDragOver={onDragOver}
          onDragLeave={() => setHover(undefined)}
          onDrop={onDrop}
        >
          <p className={styles.call}>
            <strong>Click to upload</strong> or drag and drop
          </p>
          <p id="picture-hint" className={styles.pictureHint}>
            SVG, PNG, JPG or GIF (max. 800x400px)
          </p>
          <input
            ref={input}
            id="picture"
            name="picture"
            type="file"
            accept={pictureTypes.join(",")}
            aria-describedby={faults ? "picture-hint picture-errors" : "picture-hint"}
            aria-invalid={faults ? true : undefined}
            onChange={(event) => take(event.currentTarget.files?.[0])}
          />
          <p className={styles.chosen} role="status">
            {chosen?.name}
          </p>
          {hover === "wrong" && <p className={styles.veil}>File type/size error, Hovered on types!</p>}
        </div>
      </div>
      {faults && <FieldErrors id="picture-errors" errors={faults} />}
      {avatar && (
        <button form="remove-picture" className={styles.remove}>
          Remove picture
        </button>
      )}
    </div>
  );
}

/** As if somebody had chosen: the form around looks at what is pending. */
function choose(input: HTMLInputElement, files: FileList | null): void {
  if (files) input.files = files;
  else input.value = "";
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function Face({ avatar }: { avatar: string | undefined }) {
  return avatar ? (
    <img src={href(`/avatars/${avatar}`)} alt="Your picture" width={80} height={80} />
  ) : (
    <Icon name="person" />
  );
}
