import { parse, useForm } from "@conform-to/react";

/** Fields whose errors may be put right in another one. */
const partners: Partial<Record<string, string>> = { passwordConfirmation: "password", currentPassword: "email" };

type FormOptions<Fields extends Record<string, unknown>> = Parameters<typeof useForm<Fields>>[0];

/**
 * Conform's `useForm` for a form that the server alone checks. With script an error of its answer goes once its field is changed or is no
 * longer there; the server looks at it again when the form is sent.
 */
export function useCheckedForm<Fields extends Record<string, unknown>>(options: FormOptions<Fields>) {
  const wrong = Object.keys(options.lastResult?.error ?? {});
  return useForm<Fields>({
    ...options,
    shouldValidate: wrong.length > 0 ? "onInput" : "onSubmit",
    onValidate: ({ form, formData }) =>
      parse<Fields, string[]>(formData, {
        // To Conform `null` is what is known already; without any errors the form is sent.
        resolve: (_, intent) => ({ error: intent && toKnown(listLeft(form, { wrong, intent })) }),
      }),
  });
}

type Change = { wrong: string[]; intent: { payload: { name?: string } } };

function listLeft(form: HTMLFormElement, { wrong, intent }: Change): string[] {
  const { name = "" } = intent.payload;
  return wrong.filter((each) => each !== name && partners[each] !== name && isThere(form, each));
}

/** Whether a field is on the page, or is one that never is. */
function isThere(form: HTMLFormElement, name: string): boolean {
  const fields = [...form.elements].filter((element) => element.getAttribute("name") === name);
  return (
    fields.length === 0 || fields.some((field) => field.matches("[type=hidden]") || field.getClientRects().length > 0)
  );
}

function toKnown(names: string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]));
}
