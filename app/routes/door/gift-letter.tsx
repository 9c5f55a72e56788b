import { redirect } from "react-router";

import nest from "../../components/pictures/scenes/hedgerow-nest-1280.avif?url";
import { Footer, Logo, Mark, PlainFrame } from "../../components/page-frame.tsx";
import { SchemeSwitch } from "../../components/scheme-switch.tsx";
import { runIntent } from "../../forms/intents.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { noIndexMiddleware } from "../../frame/middleware/no-index.ts";
import { href } from "../../frame/paths.ts";
import { changeScheme } from "../../frame/scheme.ts";
import { drawQrCode } from "../../paper/qr-code.ts";
import { SheetActions } from "../../paper/sheet.tsx";
import { CodeGroups } from "../company/figures.tsx";
import { QrCode } from "../../components/qr-code.tsx";
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
      <article className={styles.letter}>
        <img className={styles.picture} src={nest} alt="" width={1280} height={720} />
        <h1 tabIndex={-1}>{`For ${recipientName}`}</h1>
        <p className={styles.lead}>{`${giverName} is giving you ${period} of ${product.name}.`}</p>
        {message && <p className={styles.message}>{message}</p>}
        <p>Films, articles and sounds for nights when you can't sleep. To begin, scan this with your phone:</p>
        <QrCode {...qrCode} label={`QR code of ${address} with the code`} />
        <p>
          Or open <strong className={styles.address}>{address}</strong> and type this code:
        </p>
        <p className={styles.code}>
          <CodeGroups code={code} />
        </p>
        <p className={styles.name}>
          <Mark /> {product.name}
        </p>
      </article>
      <SheetActions>
        <a className={buttons.quiet} href={href(backPath)}>
          Back
        </a>
      </SheetActions>
    </PlainFrame>
  );
}
