import type { FieldMetadata, SubmissionResult } from "@conform-to/react";
import { Fragment, type ReactNode, useId } from "react";
import { Link, useActionData, useLocation } from "react-router";

import type { ActName, ShownAct, ShownField } from "../../../server/operations/acts/acts.ts";
import buttons from "../../components/button.module.css";
import { useFocusOn } from "../../forms/focus-on.ts";
import { toLastResult } from "../../forms/answer.ts";
import { useCheckedForm } from "../../forms/checked-form.ts";
import { ErrorBox, ErrorSummary } from "../../forms/error-summary.tsx";
import { Field, PlainField, Select, TextArea, Username } from "../../forms/field.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import type { DeskAnswer } from "./acts.server.ts";
import { Facts } from "./desk-page.tsx";
import { OutsideLink } from "../../components/outside-link.tsx";
import { AGREED, toFormName, useDesk, useOperatorEmail } from "./use-desk.ts";
import screen from "./screen.module.css";
import styles from "./act-form.module.css";

export type ActFormProps<Described = ShownAct | undefined> = {
  /** From the loader's `describeActs`; `undefined` for an act that the operator may not do. */
  act: Described;
  /** Tells several forms of an act on a screen apart, such as the number of an email. */
  item?: string | number;
  /** For the `{names}` in the act's texts; `{item}` is the item. */
  words?: Record<string, string>;
  values?: Record<string, string>;
  /** Fields to show beside reason and password; all by default. */
  only?: string[];
  /** The state of the subject asks for it, so its button is gold. */
  isNeeded?: boolean;
};

/** `main`: the one that the state asks for; `row`: in a list of many; `small`: in a row of a table. */
type Look = "main" | "button" | "row" | "small";

const lookStyles = { main: styles.first, button: undefined, row: styles.row, small: styles.small };

/** A button that opens the form. An operator without the right does not see it. */
export function ActForm({ act, item = "", words, values, only, look = "button" }: ActFormProps & { look?: Look }) {
  const { flash } = useDesk();
  if (!act) return null;
  const { title, button, note, fields } = act;
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => words?.[name] ?? String(item));
  return (
    <FoldedForm
      // A completed act leaves its form closed and empty.
      key={flash?.at}
      {...act}
      item={String(item)}
      look={look}
      title={fill(title)}
      button={fill(button)}
      note={note && fill(note)}
      fields={
        only ? fields.filter(({ name }) => name === "reason" || name === "password" || only.includes(name)) : fields
      }
      values={values}
    />
  );
}

const BUTTONS = 2;

/** The act that the state asks for, where only another site can do it. */
type ActLink = { label: string; address: string };

/**
 * A screen's acts, most needed first. The first two that the operator may do are buttons; the rest are under More,
 * ending ones last. One button at most is gold. A link takes the first place.
 */
export function Acts({ forms, link }: { forms: ActFormProps[]; link?: ActLink | undefined }) {
  const desk = useDesk();
  const answer = useActionData<DeskAnswer>();
  const allowed = forms.flatMap(({ act, ...form }) => (act ? [{ act, ...form }] : []));
  const buttonCount = link ? BUTTONS - 1 : BUTTONS;
  const first = allowed.slice(0, buttonCount);
  const rest = allowed.slice(buttonCount).toSorted((a, b) => toWeight(a.act) - toWeight(b.act));
  const toKey = ({ act, item = "" }: ActFormProps<ShownAct>) => toFormName(act.name, String(item));
  const isOpen = rest.map(toKey).some((name) => name === desk.unsent?.form || name === answer?.form);
  if (allowed.length === 0 && !link) return null;
  return (
    <ActRow>
      {link && (
        <OutsideLink className={buttons.button} href={link.address}>
          {link.label}
        </OutsideLink>
      )}
      {first.map((form, index) => (
        <ActForm key={toKey(form)} {...form} look={form.isNeeded && index === 0 && !link ? "main" : "button"} />
      ))}
      {rest.length > 0 && (
        <details key={desk.flash?.at} className={styles.more} open={isOpen}>
          <summary className={styles.head}>More</summary>
          <div className={styles.moreActs}>
            {rest.map((form) => (
              <ActForm key={toKey(form)} {...form} look="row" />
            ))}
          </div>
        </details>
      )}
    </ActRow>
  );
}

/** Forms beside each other, as far as there is space. */
export function ActRow({ children }: { children: ReactNode }) {
  return <div className={styles.acts}>{children}</div>;
}

function toWeight({ isEnding }: ShownAct): number {
  return isEnding ? 1 : 0;
}

/**
 * The refusal of an act whose form is no longer on the page, for an act named here and none of the `items`. Another
 * operator may have been faster.
 */
export function LostRefusal({ act, items }: { act: ActName | "ask-parts"; items?: (string | number)[] }) {
  const answer = useActionData<DeskAnswer>();
  const isOfAct = answer !== undefined && (answer.form === act || answer.form.startsWith(`${act} `));
  const hasForm = items?.some((item) => answer?.form === toFormName(act, String(item)));
  return <RefusalBox refusal={isOfAct && !hasForm && "result" in answer ? answer.result : undefined} />;
}

/** All its sentences, without their fields. */
export function RefusalBox({ refusal }: { refusal: SubmissionResult | undefined }) {
  const box = useFocusOn<HTMLDivElement>(refusal);
  if (!refusal) return null;
  return (
    <ErrorBox ref={box}>
      {Object.values(refusal.error ?? {})
        .flat()
        .join(" ")}
    </ErrorBox>
  );
}

type FoldedFormProps = Omit<ShownAct, "note"> & {
  item: string;
  look: Look;
  note: string | undefined;
  values: Record<string, string> | undefined;
};

function FoldedForm({ values, ...shown }: FoldedFormProps) {
  const { name, item, look, isEnding, asks, title, button, pending, fields, note, isDownload } = shown;
  const formName = toFormName(name, item);
  const desk = useDesk();
  const answer = useActionData<DeskAnswer>();
  const unsent = desk.unsent?.form === formName ? desk.unsent.values : undefined;
  const own = answer?.form === formName && "result" in answer ? answer : undefined;
  const [form, metadata] = useCheckedForm<Record<string, string>>({
    id: `${useId()}-${name.replaceAll(" ", "-")}`,
    lastResult: toLastResult(answer, formName),
    defaultValue: Object.fromEntries(
      fields.map((field) => [
        field.name,
        unsent?.[field.name] ?? values?.[field.name] ?? field.options?.[0]?.value ?? "",
      ]),
    ),
  });
  const all = fields.map((field) => ({ field, metadata: metadata[field.name] as FieldMetadata<string> }));
  const looks = [styles.act, lookStyles[look], isEnding && styles.ending];
  return (
    <details className={looks.filter(Boolean).join(" ")} open={own !== undefined || unsent !== undefined}>
      <summary className={styles.head}>{title}</summary>
      <div className={styles.actBody}>
        {own?.willHappen ? (
          <Question {...shown} willHappen={own.willHappen} given={own.result.initialValue} />
        ) : (
          <>
            {note && <p className={screen.note}>{note}</p>}
            <ErrorSummary form={form} fields={all.map((each) => each.metadata)} />
            <IntentForm
              intent={name}
              form={form}
              className={screen.form}
              replace
              preventScrollReset
              {...(isDownload && { reloadDocument: true })}
            >
              {item !== "" && <input type="hidden" name="item" value={item} />}
              {all.map((each) => (
                <ActInput key={each.field.name} {...each} />
              ))}
              {asks ? (
                <Submit intent={name} label="Continue" pending="One moment..." />
              ) : (
                <Submit intent={name} label={button} pending={pending} />
              )}
            </IntentForm>
          </>
        )}
      </div>
    </details>
  );
}

type QuestionProps = Pick<FoldedFormProps, "name" | "item" | "button" | "pending" | "fields"> & {
  willHappen: string[];
  given: SubmissionResult["initialValue"];
};

/** The prediction, with the button that does the act: it sends the typed values again. */
function Question({ name: act, item, button, pending, fields, willHappen, given }: QuestionProps) {
  const { pathname, search } = useLocation();
  const box = useFocusOn<HTMLDivElement>(willHappen);
  const id = useId();
  const email = useOperatorEmail();
  const typed = fields.flatMap(({ name, label, options }) => {
    const value = given?.[name];
    if (typeof value !== "string" || value === "") return [];
    return [{ name, label, value, text: options?.find((option) => option.value === value)?.label ?? value }];
  });
  return (
    <>
      <div ref={box} className={styles.question} role="group" aria-labelledby={id} tabIndex={-1}>
        <p id={id} className={styles.questionTitle}>
          What will happen
        </p>
        <ul className={screen.lines}>
          {willHappen.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
      <Facts facts={typed.map(({ label, text }) => [label, text])} />
      <IntentForm intent={act} className={screen.form} replace preventScrollReset>
        {item !== "" && <input type="hidden" name="item" value={item} />}
        <input type="hidden" name={AGREED} value={willHappen.join(" ")} />
        {typed.map(({ name, value }) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {fields.map(({ name, label, type, autoComplete }) =>
          type === "password" ? (
            <Fragment key={name}>
              <Username email={email} />
              <PlainField {...{ id: `${id}-${name}`, name, label, type, autoComplete }} errors={undefined} required />
            </Fragment>
          ) : null,
        )}
        <div className={`${screen.buttons} ${styles.answers}`}>
          <Submit intent={act} label={button} pending={pending} />
          <Link className={buttons.quiet} to={pathname + search} replace preventScrollReset>
            Not now
          </Link>
        </div>
      </IntentForm>
    </>
  );
}

function ActInput({ field, metadata }: { field: ShownField; metadata: FieldMetadata<string> }) {
  // An operator types another person's data: a browser must not fill in their own.
  const { label, hint, type, autoComplete = "off", isOptional, options, lines, maxLength } = field;
  const email = useOperatorEmail();
  const { id, name, initialValue: defaultValue, errors } = metadata;
  const common = { id, name, defaultValue, errors, label, hint, required: !isOptional };
  if (options) return <Select {...common} options={options} />;
  if (lines) return <TextArea {...common} rows={lines} maxLength={maxLength} />;
  return (
    <>
      {type === "password" && <Username email={email} />}
      <Field
        field={metadata}
        label={label}
        hint={hint}
        required={!isOptional}
        {...(type && { type })}
        autoComplete={autoComplete}
      />
    </>
  );
}
