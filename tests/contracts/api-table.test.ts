import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

import { examples, writeReference } from "../../server/provider/api-reference.ts";
import { type CallName, calls } from "../../server/provider/wire.ts";
import { readDocument } from "../helpers/docs.ts";

const root = resolve(import.meta.dirname, "../..");

type Proof = [file: string, name: string];

/** Two proofs of each call: one where we serve it, and one where we make it ("consumed"). */
const proofs: Record<CallName, { served: Proof; consumed: Proof }> = {
  fetchCustomers: {
    served: ["tests/http/api-people.test.ts", "usernames come in pages, without other data"],
    consumed: ["tests/contracts/provider-calls.test.ts", "usernames come by pages, with the key only"],
  },
  createUser: {
    served: ["tests/http/api-people.test.ts", "%s adds a member who may log in and sees no content"],
    consumed: ["tests/contracts/provider-calls.test.ts", "an account that is created can be logged in to"],
  },
  usersignup: {
    served: ["tests/http/api-people.test.ts", "a sign-up reports all its mistakes, with the sentences of our own page"],
    consumed: [
      "tests/contracts/sign-up.test.ts",
      "a payment makes a member, logged in, with a receipt, who may log in again",
    ],
  },
  grabuserid: {
    served: ["tests/http/api-people.test.ts", "finds a member's number by address, and none for an unknown address"],
    consumed: ["tests/contracts/members.test.ts", "a member is found by their address, and none by an unknown one"],
  },
  grabtoken: {
    served: [
      "tests/http/api-people.test.ts",
      "a token is given only for the right password, under either name, and appears in both places",
    ],
    consumed: [
      "tests/contracts/members.test.ts",
      "the right password lets in, and a refusal does not say what was wrong",
    ],
  },
  login: {
    served: [
      "tests/http/api-people.test.ts",
      "logging in answers with the member in both shapes, and keeps one session",
    ],
    consumed: [
      "tests/contracts/members.test.ts",
      "the right password lets in, and a refusal does not say what was wrong",
    ],
  },
  getcurrentuser: {
    served: ["tests/http/api-people.test.ts", "the member is a list of one, with a picture that the token can read"],
    consumed: ["tests/contracts/members.test.ts", "access lasts as long as the subscription"],
  },
  patchuser: {
    served: [
      "tests/http/api-people.test.ts",
      "names change at once, an address with the password and after verification",
    ],
    consumed: [
      "tests/contracts/members.test.ts",
      "names change at once, and a change made elsewhere is not overwritten",
    ],
  },
  sendemail: {
    served: [
      "tests/http/api-emails.test.ts",
      "only known templates are sent, filled with facts, and at most six an hour to one address",
    ],
    consumed: [
      "tests/contracts/provider-parts.test.ts",
      "the code of a draft comes in the provider's email, and its link leads to the front",
    ],
  },
  getsubscriptionstatus: {
    served: ["tests/http/api-people.test.ts", "a subscription can be ended by its status and started by none"],
    consumed: ["tests/contracts/members.test.ts", "access lasts as long as the subscription"],
  },
  managesubscriptionstatus: {
    served: ["tests/http/api-people.test.ts", "a subscription can be ended by its status and started by none"],
    consumed: ["tests/contracts/provider-calls.test.ts", "a subscription is ended for the member whose token it is"],
  },
  activatesubscription: {
    served: ["tests/http/api-orders.test.ts", "a bank's authentication leads on, and its outcome can be asked for"],
    consumed: [
      "tests/contracts/sign-up.test.ts",
      "a bank's authentication leads on, and the payment is known on the return",
    ],
  },
  checkcouponvalidity: {
    served: ["tests/http/api-people.test.ts", "a code's answer says whether it is valid and what it unlocks"],
    consumed: [
      "tests/contracts/sign-up.test.ts",
      "a colleague joins by a code, and a code that is not good is refused with its own sentence",
    ],
  },
  checkcouponproducts: {
    served: ["tests/http/api-people.test.ts", "a code's answer says whether it is valid and what it unlocks"],
    consumed: [
      "tests/contracts/provider-parts.test.ts",
      "codes for other products are refused, and codes are not made here",
    ],
  },
  sendcombined: {
    served: [
      "tests/http/api-orders.test.ts",
      "the whole flow of existing clients makes one active order, charged once at our own price",
    ],
    consumed: [
      "tests/contracts/sign-up.test.ts",
      "a payment makes a member, logged in, with a receipt, who may log in again",
    ],
  },
  createstripecustomer: {
    served: ["tests/http/api-orders.test.ts", "a payment that was prepared for another member is refused"],
    consumed: [
      "tests/contracts/sign-up.test.ts",
      "a payment makes a member, logged in, with a receipt, who may log in again",
    ],
  },
  createpaymentintent: {
    served: ["tests/http/api-orders.test.ts", "a price sent by the caller is ignored"],
    consumed: [
      "tests/contracts/sign-up.test.ts",
      "a bank's authentication leads on, and the payment is known on the return",
    ],
  },
  createpaymentmethod: {
    served: ["tests/http/api-orders.test.ts", "a demo takes only its own cards, and describes its card fields"],
    consumed: [
      "tests/contracts/provider-parts.test.ts",
      "a payment page shows the provider's card fields, and keeps them while the provider is silent",
    ],
  },
  createbillingrequest: {
    served: ["tests/http/api-companies.test.ts", "a company is sent to the page on which it agrees"],
    consumed: [
      "tests/contracts/provider-calls.test.ts",
      "a company that an operator has added is led to the page on which it agrees",
    ],
  },
  getwatches: {
    served: [
      "tests/http/api-content.test.ts",
      "%s answers every item as WordPress writes them, and a source could read them again",
    ],
    consumed: [
      "tests/contracts/content-source.deep.test.ts",
      "has every text, title, topic and date, signed by the team as a sample without a review",
    ],
  },
  getreads: {
    served: [
      "tests/http/api-content.test.ts",
      "an article comes whole: body, author, topics, and a picture that key and token open",
    ],
    consumed: [
      "tests/contracts/content-source.deep.test.ts",
      "has every text, title, topic and date, signed by the team as a sample without a review",
    ],
  },
  getlearns: {
    served: ["tests/http/api-content.test.ts", "an unchanged list is answered 304, and pages can be read one by one"],
    consumed: [
      "tests/contracts/content-source.deep.test.ts",
      "has every text, title, topic and date, signed by the team as a sample without a review",
    ],
  },
  getallfaves: {
    served: ["tests/http/api-content.test.ts", "favourites are toggled or set, and listed by kind and number"],
    consumed: [
      "tests/contracts/members.test.ts",
      "a favourite stays until it is removed, and a repeat changes nothing",
    ],
  },
  postfave: {
    served: ["tests/http/api-content.test.ts", "favourites are toggled or set, and listed by kind and number"],
    consumed: [
      "tests/contracts/members.test.ts",
      "a favourite stays until it is removed, and a repeat changes nothing",
    ],
  },
  resetPassword: {
    served: [
      "tests/http/api-emails.test.ts",
      "known and unknown addresses get one answer, and five wrong codes end the right one",
    ],
    consumed: [
      "tests/contracts/password-reset.test.ts",
      "wrong codes are limited, old ones expire, and no answer tells whether an account exists",
    ],
  },
  validateCode: {
    served: [
      "tests/http/api-emails.test.ts",
      "a password is reset in three steps that share nothing but address and code",
    ],
    consumed: [
      "tests/contracts/password-reset.test.ts",
      "wrong codes are limited, old ones expire, and no answer tells whether an account exists",
    ],
  },
  setPassword: {
    served: ["tests/http/api-emails.test.ts", "the last step alone is enough, and a code expires after ten minutes"],
    consumed: [
      "tests/contracts/password-reset.test.ts",
      "a code allows a new password, which then replaces the old one",
    ],
  },
};

function isThere([file, name]: Proof): boolean {
  return existsSync(join(root, file)) && readFileSync(join(root, file), "utf8").includes(`"${name}"`);
}

test.each(Object.entries(proofs))("%s is served and consumed in tests that are there", (_, { served, consumed }) => {
  expect(isThere(served), served.join(": ")).toBe(true);
  expect(isThere(consumed), consumed.join(": ")).toBe(true);
});

test("the fields and examples in the document are those of the schemas", () => {
  const [, written] = readDocument("docs/api.md").split("<!-- reference -->");
  expect(written?.trim(), "run `npm run docs`").toBe(writeReference().trim());
});

test("no line of the document is longer than 160 characters", () => {
  const long = readDocument("docs/api.md")
    .split("\n")
    .filter((line) => line.length > 160);
  expect(long).toEqual([]);
});

test("every example is an input that its call takes", () => {
  for (const [name, example] of Object.entries(examples) as [CallName, object][]) {
    expect(calls[name].in.safeParse(example).error, name).toBeUndefined();
  }
});
