import { Fragment } from "react";

import type { ShownAct } from "../../../../server/operations/acts/acts.ts";
import { ActForm, ActRow } from "../act-form.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { TableSection } from "../desk-page.tsx";
import type { toOrder } from "./member-texts.ts";
import { OutsideLink } from "../../../components/outside-link.tsx";
import { Pill } from "../parts/pill.tsx";
import { linkTo } from "../parts/data-table.tsx";
import styles from "../screen.module.css";

type Order = ReturnType<typeof toOrder>;

export const refunds = ["member refund", "member refund-part"] as const;

type OrdersProps = {
  orders: Order[];
  gateway: string;
  besides: number | undefined;
  acts: Record<(typeof refunds)[number], ShownAct | undefined> | undefined;
};

/** Orders with payments, refunds and disputes. The head of the page refunds the order `besides`. */
export function Orders({ orders, gateway, besides, acts }: OrdersProps) {
  return (
    <TableSection
      id="orders"
      title="Orders and payments"
      columns={[
        "Date",
        "What",
        { label: "Amount", isNumber: true },
        "State",
        { label: "Receipt", isWhole: true },
        "Payments",
      ]}
      rows={orders.map(({ id, date, what, gift, amount, state, receipt, ...rest }) => ({
        key: id,
        cells: [
          date,
          linkTo(gift, what),
          amount,
          <Pill key="state" {...state} />,
          receipt && (
            <Fragment key="receipt">
              {receipt}
              <CopyButton text={receipt} what={`receipt ${receipt}`} />
            </Fragment>
          ),
          <Payments key="payments" {...rest} gateway={gateway} />,
        ],
      }))}
      whenEmpty="There are no orders."
    >
      <ActRow>
        {orders
          .filter(({ canGiveBack }) => canGiveBack)
          .flatMap(({ id, left, date }) =>
            refunds
              .filter((act) => act !== "member refund" || id !== besides)
              .map((act) => (
                <ActForm key={`${act} ${id}`} act={acts?.[act]} item={id} words={{ amount: left, date }} />
              )),
          )}
      </ActRow>
    </TableSection>
  );
}

function Payments({
  payments,
  partRefunds,
  disputes,
  gateway,
}: Pick<Order, "payments" | "partRefunds" | "disputes"> & { gateway: string }) {
  if (payments.length === 0 && disputes.length === 0) return "–";
  return (
    <ul className={styles.lines}>
      {payments.map(({ id, at, state, why, outside }) => (
        <li key={id}>
          {[`${at}: ${state}.`, why].filter(Boolean).join(" ")}{" "}
          {outside !== undefined && (
            <OutsideLink className={styles.outside} href={outside}>
              Open at {gateway}
              <span className="visually-hidden">: payment {id}</span>
            </OutsideLink>
          )}
        </li>
      ))}
      {partRefunds.map(({ number, words }) => (
        <li key={number}>{words}</li>
      ))}
      {disputes.map((dispute) => (
        <li key={dispute}>{dispute}</li>
      ))}
    </ul>
  );
}
