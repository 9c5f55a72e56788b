import { composeEmail, type EmailContent, type EmailSettings, oneLine, paragraph, toSender } from "./layout.ts";

export function testEmail({ product, site }: EmailSettings): EmailContent {
  const name = oneLine(product.name);
  return composeEmail({
    sender: toSender(product, site),
    subject: `A test email from ${name}`,
    why: `You get this email because an operator of ${name} wanted to see whether it arrives.`,
    blocks: [
      paragraph("Hello,"),
      paragraph(`This is a test. If you can read it, emails from ${name} arrive at this address.`),
    ],
  });
}
