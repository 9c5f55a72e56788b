import { expect, test } from "vitest";

import { addMember, openApp } from "../../../tests/helpers/app.ts";
import { createRateLimiter } from "../rate-limit/rate-limit.ts";
import { createPasskeys } from "./passkeys.ts";

/** The standard's own examples (WebAuthn, level 3, section 16): bytes that other people's keys have signed. */
const site = { host: "example.org", origin: "https://example.org" };

const base64url = (hex: string) => Buffer.from(hex, "hex").toString("base64url");

type ClientData = { type: "create" | "get"; challenge: string; crossOrigin?: boolean; extra?: string };

function toClientData({ type, challenge, crossOrigin = false, extra }: ClientData): string {
  const extraData = "clientDataJSON may be extended with additional fields in the future, such as this: ";
  const data = { type: `webauthn.${type}`, challenge: base64url(challenge), origin: site.origin, crossOrigin };
  return Buffer.from(JSON.stringify(extra ? { ...data, extraData: extraData + extra } : data)).toString("base64url");
}

function toAnswer(id: string, client: ClientData, response: Record<string, string>) {
  const clientDataJSON = toClientData(client);
  const named = { id, rawId: id, type: "public-key", clientExtensionResults: {} };
  const challenge = base64url(client.challenge);
  return { ...site, challenge, response: JSON.stringify({ ...named, response: { ...response, clientDataJSON } }) };
}

/** Of authenticator data and keys. */
const RP = "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b5";
const toKey = (x: string, y: string) => `a5010203262001215820${x}225820${y}`;

async function openPasskeys() {
  const app = await openApp();
  await addMember(app);
  return Object.assign(app, { passkeys: createPasskeys({ ...app.ctx, rateLimiter: createRateLimiter(app.ctx) }) });
}

const selfSigned = {
  id: "455ef34e2043a87db3d4afeb39bbcb6cc32df9347c789a865ecdca129cbef58c",
  client: {
    type: "create",
    challenge: "7869c2b772d4b58eba9378cf8f29e26cf935aa77df0da89fa99c0bdc0a76f7e5",
    extra: "U9hTXvKE2URkMnb_0xYHVg",
  },
  key: toKey(
    "eb151c8176b225cc651559fecf07af450fd85802046656b34c18f6cf193843c5",
    "927b8aa427a2be1b8834d233a2d34f61f13bfd44119c325d5896e183fee484f2",
  ),
  signature:
    "30440220067a20754ab925005dbf378097c92120031581c73228d1fb4f5b881bcd7da98302207fc7b147558c7c0eba3af18bd9d121fa3d3a26d17fe3f220272178f473b6006d",
} as const;

test("section 16.3: a key of a checked person that signs for itself is added, with its flags", async () => {
  await using app = await openPasskeys();
  const { id, client, key, signature } = selfSigned;
  const attestationObject = base64url(
    `a363666d74667061636b65646761747453746d74a263616c6726637369675846${signature}68617574684461746158a4${RP}5d00000000df850e09db6afbdfab51697791506cfc0020${id}${key}`,
  );
  const answer = toAnswer(base64url(id), client, { attestationObject });
  expect(await app.passkeys.verifyNew(answer)).toEqual({
    id: base64url(id),
    publicKey: base64url(key),
    counter: 0,
    isSynced: 1,
    isBackedUp: 1,
  });
});

const unattested = {
  /** Section 16.2. */
  unchecked: {
    id: "f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4",
    client: {
      type: "create",
      challenge: "00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130",
      extra: "BkQeDjdcTBrXBiAwJTLE5Q",
    },
    data: "59000000008446ccb9ab1db374750b2367ff6f3a1f",
    key: toKey(
      "afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61",
      "930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220",
    ),
  },
  /** Section 16.4. */
  framed: {
    id: "6e1050c0d2ca2f07c755cb2c66a74c64fa43065c18f938354d9915db2bd5ce57",
    client: {
      type: "create",
      challenge: "3be5aacd03537142472340ab5969f240f1d87716e20b6807ac230655fa4b3b49",
      crossOrigin: true,
      extra: "zZquEtDR9DWqpW5tBWTFug",
    },
    data: "4500000000883f4f6014f19c09d87aa38123be48d0",
    key: toKey(
      "22200a473f90b11078851550d03b4e44a2279f8c4eca27b3153dedfe03e4e97d",
      "cbd0be95e746ad6f5a8191be11756e4c0420e72f65b466d39bc56b8b123a9c6e",
    ),
  },
} satisfies Record<string, { id: string; client: ClientData; data: string; key: string }>;

test("sections 16.2 and 16.4: a key of an unchecked person, or made within another site's page, is refused", async () => {
  await using app = await openPasskeys();
  for (const { id, client, data, key } of Object.values(unattested)) {
    const attestationObject = base64url(
      `a363666d74646e6f6e656761747453746d74a068617574684461746158a4${RP}${data}0020${id}${key}`,
    );
    const answer = toAnswer(base64url(id), client, { attestationObject });
    expect(await app.passkeys.verifyNew(answer), id).toBeUndefined();
  }
});

const uses = {
  /** Section 16.6, whose id of a thousand bytes nobody signs. */
  plain: {
    client: { type: "get", challenge: "ef1deba56dce48f674a447ccf63b9599258ce87648e5c396f2ef0ca1da460e3b" },
    flags: "0d",
    key: toKey(
      "3b8176b7504489cc593046d7988abb7905a742de6ac2cdc748a873c663e90cb1",
      "1436d5edc9a75f23999eef9d5950a5c2455514ee1014084720f841a06b828a11",
    ),
    signature:
      "304502203ecef83fb12a0cae7841055f9f87103a99fd14b424194bbf06c4623d3ee6e3fd022100d2ace346db262b1374a6b70faa51f518a42ddca13a4125ce6f5052a75bac9fb6",
  },
  /** Section 16.4. */
  framed: {
    client: {
      type: "get",
      challenge: "876aa517ba83fdee65fcffdbca4c84eeae5d54f8041a1fc85c991e5bbb273137",
      crossOrigin: true,
      extra: "92pcTVD0Aby-q4dtmj6efg",
    },
    flags: "05",
    key: unattested.framed.key,
    signature:
      "3046022100eb12fcf23b12764c0f122e22371fab92e283879fd798f38ee1841c951b6e40e7022100c76237ff9db77b3c56f30837cda6a09acfa2e915544e609c0733b1184036d1cf",
  },
  /** Section 16.3. */
  unchecked: {
    client: {
      type: "get",
      challenge: "4478a10b1352348dd160c1353b0d469b5db19eb91c27f7dfa6fed39fe26af20b",
      extra: "gTb53rz6EhSWomXGzimC1Q",
    },
    flags: "09",
    key: selfSigned.key,
    signature:
      "304402203310b9431903c401f1be2bdc8d23a4007682dbbddcf846994947b7f465daf84002204e94dd00047b316061b3b99772b7efd95994a83ef584b3b6b825ea3550251b66",
  },
} satisfies Record<string, { client: ClientData; flags: string; key: string; signature: string }>;

test("sections 16.3, 16.4 and 16.6: a use proves its owner, unless unchecked or within another site's page", async () => {
  await using app = await openPasskeys();
  const prove = async (id: keyof typeof uses) => {
    const { client, flags, key, signature } = uses[id];
    const row = { id, memberId: 1, publicKey: base64url(key), counter: 0, name: "A phone", createdAt: app.clock() };
    await app.db.insertInto("passkeys").values(row).execute();
    const userHandle = Buffer.from("member 1").toString("base64url");
    const authenticatorData = base64url(`${RP}${flags}00000000`);
    const answer = toAnswer(id, client, { userHandle, authenticatorData, signature: base64url(signature) });
    return (await app.passkeys.prove("member", answer))?.ownerId;
  };
  expect([await prove("plain"), await prove("framed"), await prove("unchecked")]).toEqual([1, undefined, undefined]);
});
