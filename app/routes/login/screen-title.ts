import type { LogInAnswer } from "./form-answer.ts";
import { linkWords } from "./links.tsx";
import type { LogInScreen } from "./log-in-screen.ts";
import { outcomes } from "./outcomes.ts";
import { resetTitles } from "./reset-steps.tsx";

/** What the browser's tab says of a screen, with "Error: " before it when a form was refused. */
export function screenTitle(screen: LogInScreen, answer: LogInAnswer | undefined): string {
  return answer && "echo" in answer ? `Error: ${titleOf(screen)}` : titleOf(screen);
}

function titleOf(screen: LogInScreen): string {
  switch (screen.name) {
    case "log-in":
      return "Log in";
    case "reset":
      return resetTitles[screen.step];
    case "link":
      return linkWords[screen.kind].title;
    case "bad-link":
      return "This link does not work";
    case "outcome":
      return outcomes[screen.outcome].title;
  }
}
