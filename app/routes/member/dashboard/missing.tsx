import { Link } from "react-router";

import buttons from "../../../components/button.module.css";
import { EmptyScreen } from "../../../components/empty-screen.tsx";

/** An address inside the dashboard that leads to nothing, or a section (then with its own title) that is still empty. */
export function Missing({ title = "We could not find that page", sentence }: { title?: string; sentence: string }) {
  return (
    <EmptyScreen
      title={title}
      action={
        <Link className={buttons.button} to="/">
          Go to the dashboard
        </Link>
      }
    >
      <p>{sentence}</p>
    </EmptyScreen>
  );
}
