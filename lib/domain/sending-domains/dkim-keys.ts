import { generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { seal } from "@/lib/ground/secrets";

const generate = promisify(generateKeyPair);

/** A domain's DKIM columns: RSA with 2048 bits (RFC 8301), the private half sealed. */
export interface DkimKey {
  selector: string;
  /** Base64 of the DER public key: the record's p=. */
  dkimPublicKey: string;
  dkimPrivateKeySealed: string;
}

/** Makes a key pair off the event loop (about 0.2 s of one core) under a random selector. */
export async function createDkimKey(): Promise<DkimKey> {
  const { publicKey, privateKey } = await generate("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return {
    // Unguessable and new each time: a domain that is added again does not meet its old record.
    selector: `lm${randomBytes(5).toString("hex")}`,
    dkimPublicKey: publicKey.toString("base64"),
    dkimPrivateKeySealed: seal(privateKey),
  };
}
