import { generateKeyPairSync, KeyObject, randomUUID, sign, webcrypto } from "node:crypto";
import "reflect-metadata";
import { X509CertificateGenerator } from "@peculiar/x509";
import { startProviderServer } from "@/lib/testing/provider-server";

/** Amazon SNS as a test plays it, modelled on its public documentation. */
export const region = "eu-central-1";
export const topicArn = `arn:aws:sns:${region}:123456789012:lettermill`;
const host = `sns.${region}.amazonaws.com`;
export const certificateUrl = `https://${host}/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem`;

const algorithm = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
const certificate = await X509CertificateGenerator.createSelfSigned({
  name: "CN=sns.amazonaws.com",
  keys: keys as CryptoKeyPair,
  notBefore: new Date(Date.now() - 86_400_000),
  notAfter: new Date(Date.now() + 30 * 86_400_000),
  signingAlgorithm: algorithm,
});
const ownKey = KeyObject.from(keys.privateKey);
const strangersKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

const confirmationOf = (topic: string) =>
  `https://${host}/?Action=ConfirmSubscription&TopicArn=${encodeURIComponent(topic)}&Token=abc123`;

/** A message of the type, signed over what it says; `more` is put into it before that. */
export function snsMessage(
  Type: "Notification" | "SubscriptionConfirmation" | "UnsubscribeConfirmation",
  more: Record<string, string> = {},
  { wrong = false }: { wrong?: boolean } = {},
): Record<string, string> {
  const topic = more["TopicArn"] ?? topicArn;
  const fields: Record<string, string> = {
    Type,
    MessageId: randomUUID(),
    TopicArn: topic,
    Message: "Hello",
    Timestamp: new Date().toISOString(),
    SignatureVersion: "1",
    SigningCertURL: certificateUrl,
    ...(Type === "Notification"
      ? { UnsubscribeURL: `https://${host}/?Action=Unsubscribe` }
      : { Token: "abc123", SubscribeURL: confirmationOf(topic) }),
    ...more,
  };
  const unsigned = ["SignatureVersion", "SigningCertURL", "UnsubscribeURL"];
  const text = Object.keys(fields)
    .filter((name) => !unsigned.includes(name))
    .sort()
    .map((name) => `${name}\n${fields[name]}\n`)
    .join("");
  const hash = fields["SignatureVersion"] === "1" ? "sha1" : "sha256";
  const signature = sign(hash, Buffer.from(text), wrong ? strangersKey : ownKey);
  return { ...fields, Signature: signature.toString("base64") };
}

/** Serves the certificate, and confirms subscriptions. */
export function startSns() {
  const pem = Buffer.from(certificate.toString("pem"));
  return startProviderServer(`sns:${region}`, ({ path }) =>
    path === new URL(certificateUrl).pathname
      ? { status: 200, text: pem.toString() }
      : { status: path.startsWith("/?Action=ConfirmSubscription&") ? 200 : 404 },
  );
}
