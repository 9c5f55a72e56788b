import { href } from "../../paths.ts";
import buttons from "../../ui/button.module.css";
import { Notice } from "../../ui/notice.tsx";

/** An address inside the dashboard that leads to nothing. */
export function Missing({ sentence }: { sentence: string }) {
  return (
    <Notice
      title="There is nothing here"
      action={
        <a className={buttons.button} href={href("/")}>
          Go to the dashboard
        </a>
      }
    >
      <p>{sentence}</p>
    </Notice>
  );
}
