import { href } from "../../../paths.ts";
import buttons from "../../../ui/button.module.css";

/** Everything that is held about a member, to take along. */
export function YourData({ holdsAll, contactEmail }: { holdsAll: boolean; contactEmail: string }) {
  return (
    <>
      {holdsAll ? (
        <p>Everything that we hold about you, as one file that other programs can read (JSON).</p>
      ) : (
        <p>
          What this site holds about you, as one file that other programs can read (JSON). For what stands in your
          account beyond that, such as your payments, write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
        </p>
      )}
      <p>
        <a className={buttons.quiet} href={href("/account-data")} data-native="">
          Download my data
        </a>
      </p>
    </>
  );
}
