type Look = { placeholder?: string; style?: { base?: Record<string, unknown>; invalid?: Record<string, unknown> } };

/** The script in one of Stripe's frames, as text: one field, whose digits never leave it. It takes nothing from outside itself. */
export function runStripeFrame(): void {
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

  const tell = (message: object) => window.parent.postMessage(message, "*");
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

  function codeOf(isLeft: boolean): string | undefined {
    const typed = digits();
    if (typed.length < length) return isLeft && typed !== "" ? `incomplete_${part}` : undefined;
    if (type === "cardNumber" && !isLuhn(typed)) return "invalid_number";
    return type === "cardExpiry" && typed.slice(2) < "26" ? "invalid_expiry_year_past" : undefined;
  }

  function change(isLeft: boolean): void {
    const code = codeOf(isLeft);
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
    tell({
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
    tell({ type: "blur" });
  });
  input.addEventListener("focus", () => tell({ type: "focus" }));
  window.addEventListener("message", ({ data }: MessageEvent<{ type: string; look?: Look }>) => {
    if (data.type === "focus") input.focus();
    if (data.type !== "look") return;
    look = data.look ?? {};
    input.placeholder = look.placeholder ?? "";
    change(false);
  });
  tell({ type: "hello" });
}
