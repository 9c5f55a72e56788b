import { parseHTML } from "linkedom";

import { openProcessBrowser, type ProcessBrowser } from "../../tests/helpers/running-app.ts";

export type FoundForm = {
  /** The page's address, without parts that differ in each visit. */
  page: string;
  action: string;
  method: string;
  intent: string;
  fields: FoundField[];
  buttons: string[];
  /** Sent when nothing is typed. */
  values: [name: string, value: string][];
  isMultipart: boolean;
};

/** `choices`: the values of radios, check boxes and menus. */
export type FoundField = { name: string; label: string; choices: string[] };

/** `address` is exact; `to` has no parts that differ in each visit; `errors`: those on the page. */
export type Outcome = { status: number; address: string; to: string; errors: string[]; text: string };

/** Sends forms as plain HTML does or as script does. */
export type FormBrowser = ProcessBrowser & {
  find(path: string): Promise<FoundForm[]>;
  /** `typed` includes a pressed button that has a name. */
  send(form: FoundForm, typed: Record<string, string>): Promise<Outcome>;
};

export function openFormBrowser(url: string, { isScript }: { isScript: boolean }): FormBrowser {
  const { origin } = new URL(url);
  const browser = openProcessBrowser(url.replace(/\/$/, ""), origin);

  async function read(path: string): Promise<{ text: string; path: string }> {
    const answer = await browser.get(path);
    return answer.location ? read(answer.location) : { text: answer.text, path };
  }

  return {
    ...browser,
    async find(path) {
      const page = await read(path.replace(/^https?:\/\/[^/]+/, ""));
      return listForms(page.text, page.path.replace(origin, ""));
    },
    async send(form, typed) {
      const names = new Set(Object.keys(typed));
      const pairs = [...form.values.filter(([each]) => !names.has(each)), ...Object.entries(typed)];
      if (form.method === "GET") {
        const { text, path } = await read(`${form.action.split("?")[0]}?${new URLSearchParams(pairs).toString()}`);
        return { status: 200, address: path, to: toPattern(path), errors: [], text };
      }
      const body = form.isMultipart ? toParts(pairs) : Object.fromEntries(pairs);
      const answer = await browser.post(isScript ? toDataPath(form.action) : form.action, body);
      const to = isScript ? (answer.headers.get("X-Remix-Redirect") ?? readTarget(answer.text)) : answer.location;
      const path = to.replace(origin, "");
      if (leadsToOwn(path)) await read(path);
      const errors = !isScript && answer.status === 400 ? listErrors(answer.text) : [];
      return { status: answer.status, address: path, to: toPattern(path), errors, text: answer.text };
    },
  };
}

/** Whether the next page is ours, not a payment provider's. */
function leadsToOwn(path: string): boolean {
  return path.startsWith("/") && !path.includes("/demo-gateway/");
}

function toParts(pairs: [string, string][]): FormData {
  const parts = new FormData();
  for (const [name, value] of pairs) parts.append(name, value);
  return parts;
}

/** The address at which the framework serves a page's data. */
function toDataPath(address: string): string {
  const [path = "", query] = address.split("?");
  const name = path === "/" ? "/_.data" : `${path.replace(/\/$/, "")}.data`;
  return query === undefined ? name : `${name}?${query}`;
}

/** Where an answer to script leads; empty if the page stays. */
function readTarget(stream: string): string {
  return /"redirect","([^"]+)"/.exec(stream)?.[1] ?? "";
}

/** With controls elsewhere on the page. */
export function listForms(html: string, path: string): FoundForm[] {
  const { document } = parseHTML(html);
  return [...document.querySelectorAll("form")].map((form) => {
    const id = form.getAttribute("id");
    const elsewhere = id ? [...document.querySelectorAll(`[form="${id}"]`)] : [];
    const controls = [...new Set([...form.querySelectorAll("input, select, textarea, button"), ...elsewhere])];
    const own = controls.filter((each) => (each.getAttribute("form") ?? id) === id);
    const inputs = own.filter((each) => each.localName !== "button");
    const buttons = own.filter((each) => each.localName === "button" && each.getAttribute("type") !== "button");
    const hidden = inputs.find((each) => each.getAttribute("name") === "intent");
    const action = (form.getAttribute("action") ?? path).split("#")[0] ?? "";
    return {
      page: toPattern(path),
      action: action === "" ? path : action,
      method: (form.getAttribute("method") ?? "get").toUpperCase(),
      intent: hidden?.getAttribute("value") ?? "",
      fields: describeFields(inputs, document),
      buttons: [...new Set(buttons.map(describeButton))],
      values: inputs.flatMap(readDefault),
      isMultipart: form.getAttribute("enctype") === "multipart/form-data",
    };
  });
}

/** Without the hidden ones. */
function describeFields(inputs: Element[], document: Document): FoundField[] {
  const fields = new Map<string, FoundField>();
  for (const input of inputs) {
    const name = input.getAttribute("name") ?? "";
    const type = input.localName === "input" ? (input.getAttribute("type") ?? "text") : input.localName;
    if (name === "" || type === "hidden") continue;
    const { label, choices } = fields.get(name) ?? { label: readLabel(input, { type, document }), choices: [] };
    fields.set(name, { name, label, choices: [...choices, ...readChoices(input, type)] });
  }
  return [...fields.values()];
}

function readChoices(input: Element, type: string): string[] {
  if (type === "radio" || type === "checkbox") return [input.getAttribute("value") ?? "on"];
  return [...input.querySelectorAll("option")].map((each) => each.getAttribute("value") ?? words(each));
}

function readLabel(input: Element, { type, document }: { type: string; document: Document }): string {
  const around = input.closest("label");
  const group = type === "radio" ? input.closest("fieldset")?.getAttribute("aria-label") : undefined;
  const id = input.getAttribute("id");
  const named = id
    ? [...document.querySelectorAll("label")].find((each) => each.getAttribute("for") === id)
    : undefined;
  return group ?? input.getAttribute("aria-label") ?? (named ? words(named) : around ? words(around) : "");
}

/** The button's words without the item's title. */
function describeButton(button: Element): string {
  const name = button.getAttribute("name");
  const value = button.getAttribute("value") ?? "";
  const text = words(button);
  if (!name) return `“${text}”`;
  if (value === "") return `“${text}” (\`${name}\`)`;
  if (!/^(?:watch|listen|read|learn)-\d+$/.test(value)) return `“${text}” (\`${name}\`: \`${value}\`)`;
  const verb = /^(?:Favourite:|Open|Skip|Remove) /.exec(text)?.[0] ?? "";
  return `“${verb}…” (\`${name}\`: \`KIND-ID\`)`;
}

function readDefault(input: Element): [string, string][] {
  const name = input.getAttribute("name");
  const type = input.getAttribute("type");
  if (!name || type === "file") return [];
  if ((type === "radio" || type === "checkbox") && !input.hasAttribute("checked")) return [];
  if (input.localName === "select") {
    const options = [...input.querySelectorAll("option")];
    const chosen = options.find((each) => each.hasAttribute("selected")) ?? options[0];
    return [[name, chosen?.getAttribute("value") ?? ""]];
  }
  return [[name, input.localName === "textarea" ? (input.textContent ?? "") : (input.getAttribute("value") ?? "")]];
}

function words(element: Element): string {
  return (element.textContent ?? "").replaceAll(/\s+/g, " ").trim();
}

/** Those named above the form. */
function listErrors(html: string): string[] {
  const { document } = parseHTML(html);
  for (const hidden of document.querySelectorAll(".visually-hidden")) hidden.remove();
  const boxes = [...document.querySelectorAll('[role="group"][class*="error-summary"]')];
  const errors = boxes.flatMap((box) => {
    const items = [...box.querySelectorAll("li")];
    return (items.length > 0 ? items : [box]).map(words);
  });
  return [...new Set(errors)].filter((sentence) => sentence !== "");
}

/** An address without ids, numbers and secrets. */
function toPattern(address: string): string {
  return address
    .replace(/^https?:\/\/[^/]+/, "")
    .replaceAll(/\/(?:pay|brf|pm)_demo_[0-9a-f]+/g, "/:id")
    .replaceAll(
      /([?&](?:token|verify|renew|invitation|undo|reopen|enter|confirm|answer|agreed|end|forgotten|attempt|export|gift|code)=)[^&#]+/g,
      "$1…",
    );
}
