import {
  createHash,
  createSign,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from "node:crypto";
import type { PasskeyMade, PasskeySigned } from "@/lib/domain/users/passkey-schema";

const bytesOf = (text: string) => createHash("sha256").update(text).digest();
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** A value in CBOR (RFC 8949): what attestations and keys are made of, with lengths below 65,536. */
function cbor(value: number | string | Uint8Array | Map<unknown, unknown>): Buffer {
  const head = (major: number, size: number) => {
    if (size < 24) return Buffer.from([(major << 5) | size]);
    return size < 256
      ? Buffer.from([(major << 5) | 24, size])
      : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  };
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => [cbor(key as string), cbor(item as string)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

function coseOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = [Buffer.from(x, "base64url"), Buffer.from(y, "base64url")] as const;
  return cbor(new Map<number, number | Buffer>([[1, 2], [3, -7], [-1, 1], [-2, point[0]], [-3, point[1]]])); // prettier-ignore
}

/** What an authenticator can be made to do wrong. */
interface Ways {
  origin?: string;
  host?: string;
  /** Whether it asked for a finger, a face or a PIN. */
  verified?: boolean;
  /** How often it says that it has signed. */
  counter?: number;
  userHandle?: string;
  credentialId?: string;
}

/** An authenticator in software that holds one passkey (ES256), as the browser would put what it says. */
export function softAuthenticator({ origin = "http://localhost:3000" } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  let counter = 0;
  let userHandle = "";
  const clientData = (type: string, challenge: string, ways: Ways) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: ways.origin ?? origin }));
  const authenticatorData = (flags: number, ways: Ways) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(ways.counter ?? counter);
    const host = ways.host ?? new URL(origin).hostname;
    const verified = ways.verified === false ? 0 : 4;
    return Buffer.concat([bytesOf(host), Buffer.from([flags | 1 | verified]), count]);
  };
  return {
    /** Makes its passkey. */
    create(options: Record<string, unknown>, ways: Ways = {}): PasskeyMade {
      userHandle = (options["user"] as { id: string }).id;
      const data = Buffer.concat([
        authenticatorData(0x40, ways),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseOf(publicKey),
      ]);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", data],
      ]);
      return {
        id: text(id),
        rawId: text(id),
        type: "public-key",
        response: {
          clientDataJSON: text(clientData("webauthn.create", String(options["challenge"]), ways)),
          attestationObject: text(cbor(attestation)),
          transports: ["internal"],
        },
      };
    },
    /** Signs a challenge with it. */
    sign(challenge: string, ways: Ways = {}): PasskeySigned {
      counter += 1;
      const data = authenticatorData(0, ways);
      const client = clientData("webauthn.get", challenge, ways);
      const signature = createSign("sha256")
        .update(Buffer.concat([data, createHash("sha256").update(client).digest()]))
        .sign(privateKey);
      return {
        id: ways.credentialId ?? text(id),
        rawId: ways.credentialId ?? text(id),
        type: "public-key",
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(signature),
          userHandle: ways.userHandle ?? userHandle,
        },
      };
    },
  };
}
