import { Link } from "react-router";

import buttons from "../../../components/button.module.css";
import { EmptyScreen } from "../../../components/empty-screen.tsx";

/** An address that leads to nothing, or an empty section (then with its own title). */
export function Missing({ title = "We couldn't find that page", sentence }: { title?: string; sentence: string }) {
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
