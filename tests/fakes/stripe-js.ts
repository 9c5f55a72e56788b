/* oxlint-disable unicorn/consistent-function-scoping -- two functions travel into the page as text */

import type { Page, Route } from "@playwright/test";

/**
 * Stripe.js for a page, served in place of Stripe's hosts: the same calls and events, fields in frames of their own
 * host, and methods made by an API call. Wrong options throw as in Stripe's.
 */
export type StripeJs = {
  /** All requests to Stripe's hosts. */
  requests: string[];
  methods: Record<string, string>[];
  release(): void;
  /** The outcome of making methods from now on; without an argument they succeed again. */
  answerWith(answer?: { error: { type: string; code?: string } } | "nothing"): void;
  /** The options of Stripe and its fields. */
  readOptions(): Promise<StripeOptions>;
};

export type StripeOptions = {
  key: string;
  options: { locale?: string };
  elements: Record<string, { placeholder?: string; style?: { base?: Record<string, unknown> } }>;
};

/** `held`: the script comes when the test lets it. `frameless`: it comes, but its fields do not. */
export type StripeJsManner = "there" | "blocked" | "held" | "frameless";

const cors = { "Access-Control-Allow-Origin": "*" };

export async function serveStripeJs(page: Page, manner: StripeJsManner = "there"): Promise<StripeJs> {
  const requests: string[] = [];
  const methods: Record<string, string>[] = [];
  const gate = Promise.withResolvers<void>();
  let answer: Parameters<StripeJs["answerWith"]>[0];

  async function serve(route: Route): Promise<void> {
    const { pathname } = new URL(route.request().url());
    if (manner === "blocked") return route.abort("blockedbyclient");
    if (pathname === "/endive/stripe.js") {
      if (manner === "held") await gate.promise;
      // A page that was left no longer wants it.
      return route.fulfill({ contentType: "text/javascript", body: `(${String(runStripeJs)})();` }).catch(() => {});
    }
    if (pathname !== "/frame.html") return route.fulfill({ status: 404, body: "" });
    const script = manner === "frameless" ? runNoFrame : runStripeFrame;
    const body = `<!doctype html><title>Secure input frame</title><body><script>(${String(script)})();</script>`;
    return route.fulfill({ contentType: "text/html", body });
  }

  async function makeMethod(route: Route): Promise<void> {
    if (answer === "nothing") return route.abort("connectionreset");
    if (answer) return route.fulfill({ status: 402, headers: cors, json: answer });
    const fields = Object.fromEntries(new URLSearchParams(route.request().postData() ?? ""));
    methods.push(fields);
    return route.fulfill({
      headers: cors,
      json: { object: "payment_method", id: fields["card[token]"], type: "card" },
    });
  }

  page.on("request", (request) => {
    if (new URL(request.url()).hostname.endsWith("stripe.com")) requests.push(request.url());
  });
  await page.route("https://js.stripe.com/**", serve);
  await page.route("https://api.stripe.com/v1/payment_methods", makeMethod);
  return {
    requests,
    methods,
    release: gate.resolve,
    answerWith(next) {
      answer = next;
    },
    readOptions: () => page.evaluate(() => (window as unknown as { stripeOptions: StripeOptions }).stripeOptions),
  };
}

type Handler = (event: unknown) => void;
type Change =
  | { type: "hello" }
  | { type: "gone" }
  | { type: "focus" }
  | { type: "blur" }
  | { type: "change"; empty: boolean; complete: boolean; code?: string; method?: string };

/** The script of `js.stripe.com`, as text for the page, so it uses nothing from outside. */
function runStripeJs(): void {
  const origin = "https://js.stripe.com";
  const seen = { key: "", options: {} as unknown, elements: {} as Record<string, unknown> };
  const labels: Record<string, string> = {
    cardNumber: "Secure card number input frame",
    cardExpiry: "Secure expiration date input frame",
    cardCvc: "Secure CVC input frame",
  };
  const known = {
    element: ["classes", "style", "placeholder", "disabled", "showIcon", "iconStyle", "disableLink"],
    style: ["base", "complete", "empty", "invalid"],
    method: ["type", "card", "billing_details", "metadata"],
    details: ["name", "email", "phone", "address"],
    address: ["line1", "line2", "city", "state", "postal_code", "country"],
  };
  let frames = 0;

  function check(given: object, names: string[]): void {
    const wrong = Object.keys(given).find((name) => !names.includes(name));
    if (wrong !== undefined) throw new Error(`IntegrationError: Unrecognized parameter: ${wrong}`);
  }

  class Element {
    type: string;
    options: { classes?: Record<string, string>; style?: object; placeholder?: string };
    method: string | undefined;
    private handlers = new Map<string, Set<Handler>>();
    private frame: HTMLIFrameElement | undefined;

    constructor(type: string, options: Element["options"]) {
      if (!labels[type]) throw new Error(`IntegrationError: A valid Element name must be provided: ${type}`);
      check(options, known.element);
      check(options.style ?? {}, known.style);
      this.type = type;
      this.options = options;
      seen.elements[type] = options;
    }

    on(name: string, handler: Handler): this {
      this.handlers.set(name, (this.handlers.get(name) ?? new Set()).add(handler));
      return this;
    }

    off(name: string, handler: Handler): this {
      this.handlers.get(name)?.delete(handler);
      return this;
    }

    mount(container: HTMLElement): void {
      if (!container.isConnected) throw new Error("IntegrationError: The container is not in the page.");
      const frame = document.createElement("iframe");
      frames += 1;
      frame.name = `__privateStripeFrame${frames}`;
      frame.title = labels[this.type] ?? "";
      frame.src = `${origin}/frame.html#${this.type}`;
      for (const [name, value] of [
        ["border", "0"],
        ["width", "100%"],
        ["display", "block"],
        ["height", "27px"],
      ] as const) {
        frame.style.setProperty(name, value, "important");
      }
      container.classList.add("StripeElement", "StripeElement--empty");
      container.append(frame);
      this.frame = frame;
      window.addEventListener("message", (event) => {
        if (event.origin === origin && event.source === frame.contentWindow) this.take(event.data as Change, container);
      });
      document.querySelector(`label[for="${container.id}"]`)?.addEventListener("click", () => this.focus());
    }

    update(options: Element["options"]): void {
      check(options, known.element);
      Object.assign(this.options, options);
      seen.elements[this.type] = this.options;
      this.send({ type: "look", look: this.options });
    }

    focus(): void {
      this.frame?.focus();
      this.send({ type: "focus" });
    }

    destroy(): void {
      this.frame?.remove();
    }

    private take(change: Change, container: HTMLElement): void {
      const focusClass = this.options.classes?.focus ?? "StripeElement--focus";
      if (change.type === "hello") {
        this.send({ type: "look", look: this.options });
        this.emit("ready", { elementType: this.type });
      } else if (change.type === "gone") {
        this.emit("loaderror", { elementType: this.type, error: { type: "api_error" } });
      } else if (change.type === "focus" || change.type === "blur") {
        container.classList.toggle(focusClass, change.type === "focus");
      } else {
        const { empty, complete, code, method } = change;
        this.method = method;
        const error = code ? { type: "validation_error", code, message: "Stripe's own words." } : undefined;
        this.emit("change", { elementType: this.type, empty, complete, error });
      }
    }

    private send(message: object): void {
      this.frame?.contentWindow?.postMessage(message, origin);
    }

    private emit(name: string, event: unknown): void {
      for (const handler of this.handlers.get(name) ?? []) handler(event);
    }
  }

  type MethodData = {
    type: string;
    card: Element;
    billing_details: { name: string; email: string; address: Record<string, string> };
  };

  async function createPaymentMethod(data: MethodData): Promise<object> {
    check(data, known.method);
    check(data.billing_details, known.details);
    check(data.billing_details.address, known.address);
    if (data.type !== "card" || !(data.card instanceof Element)) throw new Error("IntegrationError: no card Element.");
    const { name, email, address } = data.billing_details;
    const body = new URLSearchParams({ type: "card", key: seen.key, "card[token]": data.card.method ?? "" });
    body.set("billing_details[name]", name);
    body.set("billing_details[email]", email);
    for (const [part, value] of Object.entries(address)) body.set(`billing_details[address][${part}]`, value);
    try {
      const response = await fetch("https://api.stripe.com/v1/payment_methods", { method: "POST", body });
      const answer = (await response.json()) as { error?: object };
      return answer.error ? { error: answer.error } : { paymentMethod: answer };
    } catch {
      return { error: { type: "api_connection_error", message: "Stripe's own words." } };
    }
  }

  const refuse = () => {
    throw new Error("IntegrationError: not in this stub.");
  };
  const Stripe = (key: string, options: object = {}) => {
    if (!/^pk_(?:test|live)_/.test(key)) throw new Error("IntegrationError: Invalid publishable key.");
    Object.assign(seen, { key, options });
    return {
      elements: () => ({
        create: (type: string, given: Element["options"] = {}) => new Element(type, { ...given }),
        getElement: () => null,
        update: () => {},
      }),
      createPaymentMethod,
      createToken: refuse,
      confirmCardPayment: refuse,
      registerAppInfo: () => {},
      _registerWrapper: () => {},
    };
  };
  Object.assign(window, { Stripe: Object.assign(Stripe, { version: "endive" }), stripeOptions: seen });
}

type Look = { placeholder?: string; style?: { base?: Record<string, unknown>; invalid?: Record<string, unknown> } };

/** In place of one of Stripe's frames that does not load: Stripe's own script finds that out by a time limit. */
function runNoFrame(): void {
  window.parent.postMessage({ type: "gone" }, "*");
}

/** The script of one of Stripe's frames, as text: one field, whose digits never leave it. */
function runStripeFrame(): void {
  const type = location.hash.slice(1);
  // The names by which Stripe's fake knows the cards.
  const methods: Record<string, string> = {
    "4242424242424242": "pm_card_visa",
    "4000000000000002": "pm_card_chargeDeclined",
    "4000002760003184": "pm_card_authenticationRequired",
  };
  const fields: Record<string, { label: string; autocomplete: string; length: number; part: string }> = {
    cardNumber: { label: "Credit or debit card number", autocomplete: "cc-number", length: 16, part: "number" },
    cardExpiry: { label: "Credit or debit card expiration date", autocomplete: "cc-exp", length: 4, part: "expiry" },
    cardCvc: { label: "Credit or debit card CVC/CVV", autocomplete: "cc-csc", length: 3, part: "cvc" },
  };
  const field = fields[type];
  if (!field) return;
  const { label, autocomplete, length, part } = field;
  const input = document.createElement("input");
  const placeholders = document.createElement("style");
  input.setAttribute("aria-label", label);
  input.setAttribute("autocomplete", autocomplete);
  input.inputMode = "numeric";
  let look: Look = {};

  const send = (message: object) => window.parent.postMessage(message, "*");
  const digits = () => input.value.replace(/\D/g, "");

  function isLuhn(number: string): boolean {
    const sum = number
      .split("")
      .toReversed()
      .reduce((total, digit, index) => {
        const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
        return total + (value > 9 ? value - 9 : value);
      }, 0);
    return sum % 10 === 0;
  }

  function readCode(isLeft: boolean): string | undefined {
    const typed = digits();
    if (typed.length < length) return isLeft && typed !== "" ? `incomplete_${part}` : undefined;
    if (type === "cardNumber" && !isLuhn(typed)) return "invalid_number";
    return type === "cardExpiry" && typed.slice(2) < "26" ? "invalid_expiry_year_past" : undefined;
  }

  function change(isLeft: boolean): void {
    const code = readCode(isLeft);
    const typed = digits();
    const variant = { ...look.style?.base, ...(code ? look.style?.invalid : {}) };
    for (const [name, value] of Object.entries(variant)) {
      if (typeof value === "string")
        input.style.setProperty(
          name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`),
          value,
        );
    }
    const muted = (look.style?.base?.["::placeholder"] as { color?: string } | undefined)?.color ?? "grey";
    placeholders.textContent = `body{margin:0}input{all:unset;width:100%}input::placeholder{color:${muted};opacity:1}`;
    send({
      type: "change",
      empty: typed === "",
      complete: typed.length === length && !code,
      code,
      method: methods[typed] ?? "pm_card_visa",
    });
  }

  document.head.append(placeholders);
  document.body.append(input);
  input.addEventListener("input", () => change(false));
  input.addEventListener("blur", () => {
    change(true);
    send({ type: "blur" });
  });
  input.addEventListener("focus", () => send({ type: "focus" }));
  window.addEventListener("message", ({ data }: MessageEvent<{ type: string; look?: Look }>) => {
    if (data.type === "focus") input.focus();
    if (data.type !== "look") return;
    look = data.look ?? {};
    input.placeholder = look.placeholder ?? "";
    change(false);
  });
  send({ type: "hello" });
}
