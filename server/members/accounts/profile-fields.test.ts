import * as fc from "fast-check";
import { expect, test } from "vitest";

import { displayName } from "../../platform/text.ts";
import { checkName, cleanName, displayFullName, NAME_MAX_LENGTH } from "./profile-fields.ts";

test.each([
  ["ada", "Ada"],
  ["ADA", "Ada"],
  ["McDonald", "McDonald"],
  ["O'Neill", "O'Neill"],
  [" élodie ", "Élodie"],
  ["", ""],
])("the name %j is shown as %j", (typed, shown) => expect(displayName(typed)).toBe(shown));

test.each([
  ["nora", "PENN", "Nora Penn"],
  ["ada", "McDonald", "Ada McDonald"],
  ["", "", ""],
])("the whole name of %j and %j is %j", (firstName, lastName, shown) =>
  expect(displayFullName({ firstName, lastName })).toBe(shown),
);

test.each([
  ["Ada", "Ada"],
  ["  Mary  Jane ", "Mary Jane"],
  ["O'Neill-Smith", "O'Neill-Smith"],
  ["Ada\r\nBcc: all@dormouse.example", "Ada Bcc: all@dormouse.example"],
  ["Ada\u2028Lovell\u0000", "Ada Lovell"],
  ["\u0007Ada\u0085\u001b", "Ada"],
  ["\u202eadA\u202c", "adA"],
  ["\ufeffA\u200bda", "Ada"],
  ["می\u200cخواهم", "می\u200cخواهم"],
  ["李\u3000明", "李 明"],
  ["\n\t ", ""],
])("the name %j is kept as %j", (typed, cleaned) => expect(cleanName(typed)).toBe(cleaned));

test.each(["Ada", "O", "李明", "van der Berg", "X Æ A-12", "-", " Ada\n", "🌙", "a".repeat(NAME_MAX_LENGTH)])(
  "%j can be a name",
  (name) => expect(checkName(name)).toBeUndefined(),
);

test.each(["", "  ", "\n", "\u0000", "\u200b", "\u200d\u00ad", "\u00a0", "First Name", " first  name ", "SURNAME"])(
  "%j is no name yet",
  (name) => expect(checkName(name)).toBe("missing"),
);

test("a name has 80 characters at most, as a person counts them and without its edges", () => {
  expect(checkName("a".repeat(NAME_MAX_LENGTH + 1))).toBe("long");
  expect(checkName(`  ${"a".repeat(NAME_MAX_LENGTH)}\n`)).toBeUndefined();
  expect(checkName("𝒜".repeat(NAME_MAX_LENGTH))).toBeUndefined();
  expect(checkName("𝒜".repeat(NAME_MAX_LENGTH + 1))).toBe("long");
});

test("cleaning a clean name changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
      const name = cleanName(text);
      expect(cleanName(name)).toBe(name);
      expect(name).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    }),
  );
});
