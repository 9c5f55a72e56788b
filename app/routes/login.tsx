import { changeScheme } from "../forms/change-scheme.ts";
import { runIntent } from "../forms/intents.ts";
import { requireRooms, requireVisitor } from "../middleware/guards.ts";
import { safePath } from "../paths.ts";
import { Entrance } from "../ui/entrance.tsx";
import { LogInForm } from "./login/log-in-form.tsx";
import { logIn } from "./login/log-in.ts";
import { entranceHouse } from "./signup/entrance-house.ts";
import type { Route } from "./+types/login.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  requireVisitor(context);
  const to = url.searchParams.get("to");
  return { house: entranceHouse(requireRooms(context)), ...(to && { to: safePath(to) }) };
}

export const action = (args: Route.ActionArgs) => runIntent(args, { scheme: changeScheme, "log-in": logIn });

export default function LogIn({ loaderData: { house, to }, actionData }: Route.ComponentProps) {
  return (
    <Entrance title={actionData ? "Error: Log in" : "Log in"} house={house} mode="Log In" to={to}>
      <LogInForm echo={actionData ?? undefined} to={to} />
    </Entrance>
  );
}
