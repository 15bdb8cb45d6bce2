import { createPublicKey } from "node:crypto";

/** Postmark signs nothing: its events prove themselves by a name and a password in the address. */
export const webhookUser = "lettermill";

/** SendGrid's public key: ECDSA over P-256, as its dashboard shows it, without the lines around it. */
export function verificationKey(text: string) {
  return createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
}

function isVerificationKey(text: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = verificationKey(text);
    return asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}

/** Why a provider's events cannot be proved by this secret; null: they can, as far as one sees. */
export function webhookSecretFault(kind: string, secret: string): string | null {
  if (kind === "resend" && !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) {
    return "is no signing secret of Resend's: those begin with whsec_";
  }
  if (kind === "sendgrid" && !isVerificationKey(secret)) {
    return "is no verification key of SendGrid's";
  }
  return null;
}
