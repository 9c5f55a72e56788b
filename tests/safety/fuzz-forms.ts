import * as fc from "fast-check";

import { toDataPath } from "./addresses.ts";
import type { FoundForm } from "./crawl.ts";
import { anyAddress, anyCookies, fromOurPage, oddHeaders, type Case } from "./fuzz-cases.ts";
import type { Person } from "./fuzz-people.ts";
import { contentType, hostileBytes, hostileName, hostileText } from "./hostile.ts";

type Pair = [name: string, value: string];
type Sent = Pick<Case, "address" | "body"> & { type: string };

/** A form of a page of ours, filled in as no person would. */
export function anyForm(people: Person[]): fc.Arbitrary<Case> {
  const forms = people.flatMap(({ walk }) => walk.forms);
  const knownValues = [...new Set(forms.flatMap(({ fields }) => Object.values(fields).flat()))];
  const sent = fc.constantFrom(...forms).chain((form) => anyBody(form, { knownValues, addresses: anyAddress(people) }));
  return fc
    .record({ person: anyCookies(people), sent, headers: oddHeaders })
    .map(({ person, sent: { type, ...rest }, headers }) =>
      Object.assign({ method: "POST", headers: { ...fromOurPage, ...headers, "Content-Type": type } }, person, rest),
    );
}

type Around = { knownValues: string[]; addresses: fc.Arbitrary<string> };

/** Half are plain forms, the others multipart, bytes, to another address, or by script. */
function anyBody(form: FoundForm, { knownValues, addresses }: Around): fc.Arbitrary<Sent> {
  const pairs = anyPairs(form, knownValues);
  const plain = pairs.map((all): Sent => ({
    address: form.path,
    type: PLAIN,
    body: new URLSearchParams(all).toString(),
  }));
  const inParts = fc
    .tuple(pairs, fc.nat(3))
    .map(([all, dice]): Sent => ({ address: form.path, type: IN_PARTS, body: toMultipart(all, dice === 0) }));
  const bytes = fc.tuple(hostileBytes, contentType).map(([body, type]): Sent => ({ address: form.path, type, body }));
  return fc.oneof(
    { weight: 4, arbitrary: plain },
    { weight: 3, arbitrary: inParts },
    { weight: 1, arbitrary: bytes },
    {
      weight: 1,
      arbitrary: plain.map(({ address, ...rest }) => Object.assign({ address: toDataPath(address) }, rest)),
    },
    { weight: 1, arbitrary: fc.tuple(plain, addresses).map(([rest, address]) => Object.assign({}, rest, { address })) },
  );
}

const BOUNDARY = "----dormouse";
const PLAIN = "application/x-www-form-urlencoded";
const IN_PARTS = `multipart/form-data; boundary=${BOUNDARY}`;

/** Most fields as on the page, some with any value, some missing, twice or unknown. */
function anyPairs(form: FoundForm, knownValues: string[]): fc.Arbitrary<Pair[]> {
  const value = fc.oneof(
    { weight: 3, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.constantFrom(...knownValues) },
  );
  const fields = Object.entries(form.fields).map(([name, values]) => {
    const named = (text: string): Pair => [name, text];
    return fc.oneof(
      { weight: name === "intent" ? 30 : 3, arbitrary: fc.constantFrom(...values).map((one) => [named(one)]) },
      { weight: 3, arbitrary: value.map((one) => [named(one)]) },
      { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }).map((all) => all.map(named)) },
    );
  });
  const extra = fc.array(fc.tuple(hostileName, value), { maxLength: 2 });
  return fc.tuple(fc.tuple(...fields), extra).map(([known, unknown]) => known.flat().concat(unknown));
}

/** As a browser writes it; `isBroken`: without its end, and with a misleading header. */
function toMultipart(pairs: Pair[], isBroken: boolean): string {
  const parts = pairs.map(([name, value], index) => {
    const file = index === 1 && isBroken ? '; filename="../../x\u0000.png"' : "";
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  return parts.join("") + (isBroken ? "--\r\nContent-Type" : `--${BOUNDARY}--\r\n`);
}

/** The details with a file that is almostPicture a picture, under a strange name. */
export function anyUpload(people: Person[], originals: Uint8Array[]): fc.Arbitrary<Case> {
  const forms = people.flatMap(({ walk }) => walk.forms).filter(({ fields }) => "picture" in fields);
  const bytes = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...originals).chain(almostPicture) },
    { weight: 3, arbitrary: hostileBytes },
  );
  const type = fc.constantFrom(
    "image/png",
    "image/svg+xml",
    "text/html",
    "application/x-php",
    "image/png\r\nX-Odd: yes",
  );
  const file = fc.record({ bytes, type, name: hostileText.map((text) => text.slice(0, 500)) });
  return fc
    .record({ person: anyCookies(people), form: fc.constantFrom(...forms), file })
    .map(({ person, form, file: sent }) => {
      const request = { method: "POST", address: form.path, headers: { ...fromOurPage, "Content-Type": IN_PARTS } };
      return Object.assign(request, person, { body: withFile(form, sent) });
    });
}

type SentFile = { bytes: Uint8Array; type: string; name: string };

function withFile(form: FoundForm, { bytes, type, name }: SentFile): Uint8Array<ArrayBuffer> {
  const texts = Object.entries(form.fields).filter(([field]) => field !== "picture");
  const disposition = `Content-Disposition: form-data; name="picture"; filename="${name}"`;
  const head = `--${BOUNDARY}\r\n${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
  const rest = toMultipart(
    texts.map(([field, [value = ""]]): Pair => [field, value]),
    false,
  );
  return Uint8Array.from(Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n${rest}`)]));
}

function almostPicture(file: Uint8Array): fc.Arbitrary<Uint8Array> {
  const change = fc.tuple(fc.nat(file.byteLength - 1), fc.nat(255));
  return fc.array(change, { maxLength: 6 }).map((changes) => {
    const changed = Uint8Array.from(file);
    for (const [at, value] of changes) changed[at] = value;
    return changed;
  });
}
