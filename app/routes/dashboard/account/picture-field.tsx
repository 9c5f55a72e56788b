import { useHydrated } from "remix-utils/use-hydrated";

import { pictures } from "../../../../server/refusals.ts";
import { FieldErrors } from "../../../forms/field.tsx";
import { href } from "../../../paths.ts";
import { Icon } from "../../../ui/icons.tsx";
import { pictureTypes } from "./check-picture.ts";
import { Preview } from "./preview.tsx";
import { usePicture } from "./use-picture.ts";
import styles from "./account.module.css";

type PictureFieldProps = { avatar: string | undefined; errors: string[] | undefined };

/**
 * A picture to upload. By itself it is a field for a file; with script one can drop a picture on it and sees it before it is
 * saved, and what cannot be one is refused at once.
 */
export function PictureField({ avatar, errors }: PictureFieldProps) {
  const isReady = useHydrated();
  const { input, chosen, fault, hover, take, ...dragging } = usePicture();
  const faults = fault ? [fault] : chosen ? undefined : errors;
  return (
    <div className={styles.picture}>
      {/* A screen reader would read the label and then the field of this name. */}
      <label htmlFor="picture" aria-hidden="true">
        Profile Picture
      </label>
      <div className={styles.row}>
        <div className={styles.face}>
          {chosen ? <Preview key={chosen.lastModified + chosen.name} file={chosen} /> : <Face avatar={avatar} />}
        </div>
        <div className={styles.zone} data-ready={isReady || undefined} data-hover={hover} {...dragging}>
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
            aria-label="Profile Picture"
            accept={pictureTypes.join(",")}
            aria-describedby={faults ? "picture-hint picture-errors" : "picture-hint"}
            aria-invalid={faults !== undefined}
            onChange={(event) => take(event.currentTarget.files?.[0])}
          />
          <p className={styles.chosen} aria-live="polite">
            {chosen?.name}
          </p>
          {hover === "wrong" && <p className={styles.veil}>{pictures.spec.hovered}</p>}
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

function Face({ avatar }: { avatar: string | undefined }) {
  return avatar ? <img src={href(`/avatars/${avatar}`)} alt="" width={80} height={80} /> : <Icon name="person" />;
}
