import type { FormAnswer } from "./form-answer.ts";
import type { SignUpScreen } from "./sign-up-screen.ts";

const titles: Record<SignUpScreen["name"], string> = {
  welcome: "Sign up",
  details: "Your details",
  plan: "Your plan",
  payment: "Payment",
  confirmation: "Payment Complete",
  checking: "Checking your payment",
  refunded: "Your payment was returned",
  improve: "Improve Your Sleep",
  "verify-link": "Verify your email",
  verified: "Your email is verified",
  renewal: "Welcome back",
  company: "Direct Debit",
  "bad-link": "This link does not work",
};

/** What the browser's tab says of a screen, with "Error: " before it when a form was refused or a payment failed. */
export function screenTitle(screen: SignUpScreen, answer: FormAnswer | undefined): string {
  const isWrong = (answer && "echo" in answer) || (screen.name === "payment" && screen.trouble);
  return isWrong ? `Error: ${titles[screen.name]}` : titles[screen.name];
}
