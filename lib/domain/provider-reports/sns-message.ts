import { verify, X509Certificate, type KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { regionOfTopic } from "@/lib/ground/providers/aws-schema";
import { guardedFetch } from "@/lib/ground/net/guarded-fetch";
import { endpointOf } from "@/lib/ground/net/provider-endpoints";

const line = z.string().max(4_096);
/** What Amazon SNS posts; fields that are not listed are not signed. */
const envelope = z.object({
  Type: z.enum(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  MessageId: line,
  TopicArn: line,
  Subject: line.nullish(),
  Message: z.string(),
  Timestamp: z.iso.datetime(),
  Token: line.optional(),
  SubscribeURL: line.optional(),
  SignatureVersion: z.enum(["1", "2"]),
  Signature: line,
  SigningCertURL: line,
});
export type SnsMessage = z.infer<typeof envelope> & {
  /** Of its topic. */
  region: string;
};

const oldestSeconds = 60 * 60;
const toleranceSeconds = 300;
const callMilliseconds = 10_000;
const largestAnswerBytes = 64 * 1024;

/** null: this is no message of Amazon SNS. */
export function readSnsMessage(body: Buffer): SnsMessage | null {
  try {
    const message = envelope.parse(JSON.parse(body.toString("utf8")));
    const region = regionOfTopic(message.TopicArn);
    return region === null ? null : { ...message, region };
  } catch {
    return null;
  }
}

/** https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message-verify-message-signature.html */
function signedText(message: SnsMessage): string {
  const names =
    message.Type === "Notification"
      ? (["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const)
      : ([
          "Message",
          "MessageId",
          "SubscribeURL",
          "Timestamp",
          "Token",
          "TopicArn",
          "Type",
        ] as const);
  return names
    .filter((name) => message[name] !== undefined && message[name] !== null)
    .map((name) => `${name}\n${message[name]}\n`)
    .join("");
}

/** The path of an address, if that is at the topic's own SNS; null: it leads elsewhere. */
function pathAtSns(address: string, region: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, host, username, password, pathname, search } = new URL(address);
  const isSns = protocol === "https:" && host === `sns.${region}.amazonaws.com`;
  return isSns && username === "" && password === "" ? `${pathname}${search}` : null;
}

/** Throws GuardedFetchError. null: SNS answered with anything but 200. */
async function askSns(region: string, path: string): Promise<string | null> {
  const { status, body } = await guardedFetch(endpointOf(`sns:${region}`) + path, {
    headers: { "user-agent": "Lettermill" },
    timeoutMilliseconds: callMilliseconds,
    largestBytes: largestAnswerBytes,
    secure: true,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return status === 200 ? Buffer.concat(chunks).toString("utf8") : null;
}

/** AWS changes its keys about once a year, and names each by another address. */
const keys = new LRUCache<string, KeyObject>({ max: 50, ttl: 24 * 60 * 60 * 1000 });

/** Throws GuardedFetchError while SNS cannot be reached. null: no key is to be had at this address. */
async function signingKey(region: string, address: string): Promise<KeyObject | null> {
  const path = pathAtSns(address, region);
  if (path === null || !/^\/SimpleNotificationService-[0-9a-f]{8,64}\.pem$/.test(path)) return null;
  const kept = keys.get(address);
  if (kept) return kept;
  const pem = await askSns(region, path);
  if (pem === null) return null;
  try {
    const { publicKey } = new X509Certificate(pem);
    if (publicKey.asymmetricKeyType !== "rsa") return null;
    keys.set(address, publicKey);
    return publicKey;
  } catch {
    return null;
  }
}

/**
 * Whether Amazon SNS wrote this within the last hour. Throws GuardedFetchError while its certificate cannot be fetched.
 */
export async function isFromSns(message: SnsMessage, seconds: number): Promise<boolean> {
  const age = seconds - Date.parse(message.Timestamp) / 1000;
  if (age > oldestSeconds || age < -toleranceSeconds) return false;
  const key = await signingKey(message.region, message.SigningCertURL);
  if (key === null) return false;
  const hash = message.SignatureVersion === "1" ? "sha1" : "sha256";
  const signature = Buffer.from(message.Signature, "base64");
  return verify(hash, Buffer.from(signedText(message), "utf8"), key, signature);
}

/**
 * Asks SNS to send a topic's notifications from now on. false: it does not, or the address is not one of SNS. Throws GuardedFetchError.
 */
export async function confirmSubscription(message: SnsMessage): Promise<boolean> {
  const path = pathAtSns(message.SubscribeURL ?? "", message.region);
  if (path === null || !path.startsWith("/?")) return false;
  const asked = new URLSearchParams(path.slice("/?".length));
  if (asked.get("Action") !== "ConfirmSubscription") return false;
  if (asked.get("TopicArn") !== message.TopicArn) return false;
  return (await askSns(message.region, path)) !== null;
}
