import { redirect } from "react-router";

import { Footer, Logo, PlainFrame } from "../../components/page-frame.tsx";
import { SchemeSwitch } from "../../components/scheme-switch.tsx";
import { runIntent } from "../../forms/intents.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { noIndexMiddleware } from "../../frame/middleware/no-index.ts";
import { href } from "../../frame/paths.ts";
import { changeScheme } from "../../frame/scheme.ts";
import { drawQrCode } from "../../paper/qr-code.ts";
import { CodeSheet } from "../../paper/code-sheet.tsx";
import { SheetActions } from "../../paper/sheet.tsx";
import type { Route } from "./+types/gift-letter.ts";
import { periodWords } from "./give/gift-texts.ts";
import { givenPath } from "./give/paths.ts";
import { publicProduct } from "./login/auth-layout.tsx";
import buttons from "../../components/button.module.css";
import styles from "./gift-letter.module.css";

/** The address has the right to the gift. */
export const middleware = [noIndexMiddleware];

/** The sheet that a giver prints. Once the gift was taken up or has ended, it leads to the giver's page. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { gifts, plans, product } = requireServices(context);
  const token = url.searchParams.get("gift") ?? "";
  const gift = await gifts.findGiven(token);
  const plan = plans.find(({ type }) => type === gift?.planType);
  if (!gift?.sheet || !plan) throw redirect(givenPath(token));
  const { giverName, recipientName, message, sheet } = gift;
  return {
    product: publicProduct(product),
    backPath: givenPath(token),
    giverName,
    recipientName,
    message,
    period: periodWords(plan),
    code: sheet.code,
    address: sheet.url.replace(/^https?:\/\//, "").replace(/\?.*$/, ""),
    qrCode: drawQrCode(sheet.url),
  };
}

export const action = (args: Route.ActionArgs) => runIntent(args, { scheme: changeScheme });

export default function GiftLetter({ loaderData }: Route.ComponentProps) {
  const { product, backPath, giverName, recipientName, message, period, code, address, qrCode } = loaderData;
  return (
    <PlainFrame
      className={styles.page}
      logo={<Logo name={product.name} />}
      tools={<SchemeSwitch />}
      footer={<Footer productName={product.name} agency={product.agency} />}
    >
      <title>{`A gift for ${recipientName} – ${product.name}`}</title>
      <CodeSheet title={`For ${recipientName}`} productName={product.name} {...{ code, address, qrCode }}>
        <p>{`${giverName} is giving you ${period} of ${product.name}.`}</p>
        {message && <p className={styles.message}>{message}</p>}
        <p>Films, articles and sounds for nights when you can't sleep. To begin, scan this with your phone:</p>
      </CodeSheet>
      <SheetActions>
        <a className={buttons.quiet} href={href(backPath)}>
          Back
        </a>
      </SheetActions>
    </PlainFrame>
  );
}
