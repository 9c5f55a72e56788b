import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** A software passkey (WebAuthn, level 2, section 6): makes a browser's answers, and false ones. */
export type Authenticator = {
  /** JSON for `navigator.credentials.create`. */
  register(challenge: string, lie?: Lie): string;
  /** JSON for `navigator.credentials.get`. */
  sign(challenge: string, lie?: Lie): string;
};

/** Another site's page, no check of the person, the counter of a copied key, or another owner. */
export type Lie = { host?: string; origin?: string; flags?: number; counter?: number; user?: string };

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** Parameters and values of a key (COSE, RFC 9053). */
const COSE = { keyType: 1, algorithm: 3, curve: -1, x: -2, y: -3, ellipticCurve: 2, es256: -7, p256: 1 };

/** `user`: the owner's handle, such as `member 7`. */
export function createAuthenticator(site: { host: string; origin: string; user: string }): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let uses = 0;

  function authenticatorData(flags: number, { host = site.host, counter = uses }: Lie, rest = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, rest]);
  }

  function clientData(type: string, challenge: string, { origin = site.origin }: Lie): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  function answer(response: Record<string, Buffer>): string {
    const encoded = Object.entries(response).map(([name, bytes]) => [name, bytes.toString("base64url")]);
    const names = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" };
    return JSON.stringify({ ...names, response: Object.fromEntries(encoded), clientExtensionResults: {} });
  }

  return {
    register(challenge, lie = {}) {
      const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
        [COSE.keyType, COSE.ellipticCurve],
        [COSE.algorithm, COSE.es256],
        [COSE.curve, COSE.p256],
        [COSE.x, toBytes(x)],
        [COSE.y, toBytes(y)],
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, isoCBOR.encode(key)]);
      const { flags = USER_PRESENT | USER_VERIFIED } = lie;
      const authData = new Uint8Array(authenticatorData(flags | HAS_KEY, lie, attested));
      const attestation = new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
        ["fmt", "none"],
        ["attStmt", new Map<string, string>()],
        ["authData", authData],
      ]);
      return answer({
        clientDataJSON: clientData("webauthn.create", challenge, lie),
        attestationObject: Buffer.from(isoCBOR.encode(attestation)),
      });
    },
    sign(challenge, lie = {}) {
      uses += 1;
      const { flags = USER_PRESENT | USER_VERIFIED } = lie;
      const data = authenticatorData(flags, lie);
      const clientDataJSON = clientData("webauthn.get", challenge, lie);
      const signature = sign("sha256", Buffer.concat([data, sha256(clientDataJSON)]), privateKey);
      const userHandle = Buffer.from(lie.user ?? site.user);
      return answer({ clientDataJSON, authenticatorData: data, signature, userHandle });
    },
  };
}

function sha256(data: string | Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

function toBytes(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, "base64url"));
}
