import { parse, useForm } from "@conform-to/react";

import { toLastResult } from "./answer.ts";

/** A change of one field may correct the other's error. */
const partners: Partial<Record<string, string>> = { passwordConfirmation: "password", currentPassword: "email" };

type FormOptions<Fields extends Record<string, unknown>> = Parameters<typeof useForm<Fields>>[0] & {
  /** The action's, in place of a `lastResult`: the form shows a refusal of its own name, which is its id. */
  answer?: object | undefined;
  /** Other forms of the screen whose errors it shows. */
  shows?: string[];
};

/**
 * Conform's `useForm` for a form that only the server checks. With script an error disappears once its field changes or
 * is gone.
 */
export function useCheckedForm<Fields extends Record<string, unknown>>(given: FormOptions<Fields>) {
  const { answer, shows = [], ...options } = given;
  const lastResult = "answer" in given ? toLastResult(answer, options.id ?? "", ...shows) : options.lastResult;
  const wrong = Object.keys(lastResult?.error ?? {});
  return useForm<Fields>({
    ...options,
    lastResult,
    shouldValidate: wrong.length > 0 ? "onInput" : "onSubmit",
    onValidate: ({ form, formData }) =>
      parse<Fields, string[]>(formData, {
        // To Conform `null` is an error that is known already; without any errors the form is sent.
        resolve: (_, intent) => ({ error: intent && toKnown(listLeft(form, { wrong, intent })) }),
      }),
  });
}

type Change = { wrong: string[]; intent: { payload: { name?: string } } };

function listLeft(form: HTMLFormElement, { wrong, intent }: Change): string[] {
  const { name = "" } = intent.payload;
  return wrong.filter((each) => each !== name && partners[each] !== name && isThere(form, each));
}

/** A field that is displayed, or of the type hidden; also a name without a field, such as the form's own. */
function isThere(form: HTMLFormElement, name: string): boolean {
  const fields = [...form.elements].filter((element) => element.getAttribute("name") === name);
  return (
    fields.length === 0 || fields.some((field) => field.matches("[type=hidden]") || field.getClientRects().length > 0)
  );
}

function toKnown(names: string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]));
}
