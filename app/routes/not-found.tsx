import { data } from "react-router";

import { TYPED_MAX_LENGTH } from "../../server/content/items/item-facts.ts";
import buttons from "../components/button.module.css";
import { Icon } from "../components/icons.tsx";
import { Problem, toProblem } from "../components/problem.tsx";
import { callerContext } from "../frame/context.ts";
import { requireServices } from "../frame/middleware/guards.ts";
import { href } from "../frame/paths.ts";
import type { Route } from "./+types/not-found.ts";
import styles from "./not-found.module.css";

/** Any other address, form or not. A member with access may search from here. */
export async function loader({ context }: Route.LoaderArgs) {
  const { product, membership } = requireServices(context);
  const { member } = context.get(callerContext);
  const canSearch = member !== undefined && (await membership.findAccess(member.id)).isActive;
  return data({ productName: product.name, canSearch }, { status: 404 });
}

export function action(args: Route.ActionArgs) {
  return loader(args);
}

export default function NotFound({ loaderData: { productName, canSearch } }: Route.ComponentProps) {
  return (
    <Problem {...toProblem(404)} productName={productName}>
      {canSearch && (
        <form role="search" action={href("/")} className={styles.search}>
          <input
            name="q"
            type="search"
            aria-label="Search"
            placeholder="What keeps you awake?"
            autoComplete="off"
            enterKeyHint="search"
            maxLength={TYPED_MAX_LENGTH}
          />
          <button className={buttons.round}>
            <Icon name="search" />
            <span className="visually-hidden">Search</span>
          </button>
        </form>
      )}
    </Problem>
  );
}
