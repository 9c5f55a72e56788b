import { data } from "react-router";

import { entranceHouse } from "../entrance-house.ts";
import { retryAfterOf } from "../forms/answer.ts";
import { changeScheme } from "../forms/change-scheme.ts";
import { runIntent } from "../forms/intents.ts";
import { sendOrKeep } from "../forms/send-or-keep.ts";
import { requireServices } from "../middleware/guards.ts";
import { Entrance } from "../ui/entrance.tsx";
import { wantedPath } from "../whereabouts.ts";
import type { Route } from "./+types/login.ts";
import {
  checkCode,
  confirmEmail,
  logIn,
  openReset,
  reopen,
  requestAgain,
  requestCode,
  setPassword,
  undoEmail,
} from "./login/actions.ts";
import { echoOf, type LogInAnswer, unanswered } from "./login/form-answer.ts";
import { BadLink, Link, OutcomePage } from "./login/links.tsx";
import { LogInForm } from "./login/log-in-form.tsx";
import { findLogInScreen } from "./login/log-in-screen.ts";
import { ResetSteps } from "./login/reset-steps.tsx";
import { screenTitle } from "./login/screen-title.ts";

export { retryAfterOf as headers };

export async function loader(args: Route.LoaderArgs) {
  const screen = await findLogInScreen(args);
  const house = entranceHouse(requireServices(args.context));
  return data({ house, screen, to: wantedPath(args.url) }, { status: screen.name === "bad-link" ? 404 : 200 });
}

export const action = (args: Route.ActionArgs) =>
  runIntent(args, {
    scheme: changeScheme,
    "log-in": logIn,
    "reset-request": requestCode,
    "reset-again": requestAgain,
    "reset-code": checkCode,
    "reset-password": setPassword,
    "reset-link": openReset,
    "confirm-link": confirmEmail,
    "undo-link": undoEmail,
    "reopen-link": reopen,
  });

export const clientAction = (args: Route.ClientActionArgs) => sendOrKeep(args, unanswered);

export default function LogIn({ loaderData, actionData }: Route.ComponentProps) {
  const { house, screen, to } = loaderData;
  const answer = actionData ?? undefined;
  return (
    <Entrance title={screenTitle(screen, answer)} house={house} mode="Log In" to={to}>
      <ScreenContent {...loaderData} answer={answer} />
    </Entrance>
  );
}

type ContentProps = Route.ComponentProps["loaderData"] & { answer: LogInAnswer | undefined };

function ScreenContent({ house, screen, answer, to }: ContentProps) {
  switch (screen.name) {
    case "log-in":
      return <LogInForm echo={echoOf(answer, "log-in")} to={to} />;
    case "reset":
      return <ResetSteps screen={screen} answer={answer} to={to} />;
    case "link":
      return <Link screen={screen} />;
    case "bad-link":
      return <BadLink screen={screen} house={house} />;
    case "outcome":
      return <OutcomePage screen={screen} house={house} />;
  }
}
