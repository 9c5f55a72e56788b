import { redirect } from "react-router";

import { dayText } from "../../../server/content/items/item-facts.ts";
import type { LegalName } from "../../../server/operations/legal/documents.ts";
import { Footer, Logo, PlainFrame } from "../../components/page-frame.tsx";
import { SchemeSwitch } from "../../components/scheme-switch.tsx";
import { runIntent } from "../../forms/intents.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { stripBase } from "../../frame/paths.ts";
import { changeScheme } from "../../frame/scheme.ts";
import type { Route } from "./+types/legal.ts";
import { publicProduct } from "./login/auth-layout.tsx";
import styles from "./legal.module.css";

/** The privacy notice or the terms; redirects to an operator's own address, so that our links never change. */
export function loader({ context, url }: Route.LoaderArgs) {
  const { legal, product } = requireServices(context);
  const document = legal[stripBase(url.pathname).slice(1) as LegalName];
  if (document.url !== undefined) throw redirect(document.url);
  const { title, updated, html, isSample } = document;
  return { product: publicProduct(product), title, changed: dayText(updated), html, isSample };
}

export const action = (args: Route.ActionArgs) => runIntent(args, { scheme: changeScheme });

export default function Legal({ loaderData: { product, title, changed, html, isSample } }: Route.ComponentProps) {
  return (
    <PlainFrame
      className={styles.page}
      logo={<Logo name={product.name} />}
      tools={<SchemeSwitch />}
      footer={<Footer productName={product.name} agency={product.agency} />}
    >
      <title>{`${title} – ${product.name}`}</title>
      <h1 tabIndex={-1}>{title}</h1>
      <p className={styles.quiet}>Last changed on {changed}.</p>
      {isSample && (
        <p className={styles.quiet}>This is a sample. The people who run this site haven't written their own yet.</p>
      )}
      <div className={styles.words} dangerouslySetInnerHTML={{ __html: html }} />
    </PlainFrame>
  );
}
