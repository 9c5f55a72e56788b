import { href } from "../../paths.ts";
import buttons from "../../ui/button.module.css";
import { Notice } from "../../ui/notice.tsx";

/** An address inside the dashboard that leads to nothing, or a section (then with its own title) that is still empty. */
export function Missing({ title = "We could not find that page", sentence }: { title?: string; sentence: string }) {
  return (
    <Notice
      title={title}
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
