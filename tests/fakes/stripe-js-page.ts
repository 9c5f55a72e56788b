/* oxlint-disable unicorn/consistent-function-scoping -- the whole function travels into the page as text */

type Handler = (event: unknown) => void;
type Change =
  | { type: "hello" }
  | { type: "focus" }
  | { type: "blur" }
  | { type: "change"; empty: boolean; complete: boolean; code?: string; method?: string };

/** The script at `js.stripe.com`, as text for the page. It takes nothing from outside itself. */
export function runStripeJs(): void {
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
      frame.addEventListener("load", () => setTimeout(() => this.giveUp(), 300));
      document.querySelector(`label[for="${container.id}"]`)?.addEventListener("click", () => this.focus());
    }

    update(options: Element["options"]): void {
      check(options, known.element);
      Object.assign(this.options, options);
      seen.elements[this.type] = this.options;
      this.tell({ type: "look", look: this.options });
    }

    focus(): void {
      this.frame?.focus();
      this.tell({ type: "focus" });
    }

    destroy(): void {
      this.frame?.remove();
    }

    private isHere = false;

    private take(change: Change, container: HTMLElement): void {
      const focusClass = this.options.classes?.focus ?? "StripeElement--focus";
      if (change.type === "hello") {
        this.isHere = true;
        this.tell({ type: "look", look: this.options });
        this.emit("ready", { elementType: this.type });
      } else if (change.type === "focus" || change.type === "blur") {
        container.classList.toggle(focusClass, change.type === "focus");
      } else {
        const { empty, complete, code, method } = change;
        this.method = method;
        const error = code ? { type: "validation_error", code, message: "Stripe's own words." } : undefined;
        this.emit("change", { elementType: this.type, empty, complete, error });
      }
    }

    private giveUp(): void {
      if (!this.isHere) this.emit("loaderror", { elementType: this.type, error: { type: "api_error" } });
    }

    private tell(message: object): void {
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
