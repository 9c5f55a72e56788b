import { href } from "../../../paths.ts";
import buttons from "../../../ui/button.module.css";

/** Everything that is held about a member, to take along. */
export function YourData() {
  return (
    <>
      <p>Everything that we hold about you, as one file that other programs can read (JSON).</p>
      <p>
        <a className={buttons.quiet} href={href("/account-data")} data-native="">
          Download my data
        </a>
      </p>
    </>
  );
}
