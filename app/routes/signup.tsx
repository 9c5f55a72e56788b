import { changeScheme } from "../forms/change-scheme.ts";
import { runIntent } from "../forms/intents.ts";
import { requireRooms, requireVisitor } from "../middleware/guards.ts";
import { safePath } from "../paths.ts";
import { Entrance } from "../ui/entrance.tsx";
import { entranceHouse } from "./signup/entrance-house.ts";
import { Welcome } from "./signup/welcome.tsx";
import type { Route } from "./+types/signup.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  requireVisitor(context);
  const to = url.searchParams.get("to");
  return { house: entranceHouse(requireRooms(context)), ...(to && { to: safePath(to) }) };
}

export const action = (args: Route.ActionArgs) => runIntent(args, { scheme: changeScheme });

export default function SignUp({ loaderData: { house, to } }: Route.ComponentProps) {
  return (
    <Entrance title="Sign up" house={house} mode="Sign Up" to={to}>
      <Welcome house={house} to={to} />
    </Entrance>
  );
}
