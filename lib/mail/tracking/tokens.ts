import { hash, randomFillSync, timingSafeEqual } from "node:crypto";
import { acceptedSecrets, currentSecret, mac } from "@/lib/ground/secrets";
import { foldAddress } from "@/lib/mail/address";

/*
 * A token names rows and proves that we made it: their ids, then 80 bits of an HMAC under a key that only
 * this kind of token uses. Tokens derive from ids, so a mail that is sent again carries the same ones.
 */

const macBytes = 10;
const uuidBytes = 16;
const linkIdBytes = 8;
/** For links with counted ids: mail that is sent again carries the same token as before. */
const countedLinkIdBytes = 6;
const stampNonceBytes = 6;

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function writeUuid(uuid: string, into: Buffer, offset: number): void {
  if (!uuidPattern.test(uuid)) throw new Error("A token is made of a uuid.");
  into.write(uuid.replaceAll("-", ""), offset, "hex");
}

function readUuid(bytes: Buffer, offset: number): string {
  const hex = bytes.toString("hex", offset, offset + uuidBytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Under the current secret, unless another is given. */
type Proof = (payload: Buffer, secret?: string) => Buffer;

function proofOf(kind: string): Proof {
  const purpose = `token:${kind}`;
  return (payload, secret) => mac(purpose, payload, macBytes, secret);
}

function seal(proof: Proof, payload: Buffer): string {
  return Buffer.concat([payload, proof(payload)]).toString("base64url");
}

/** The payload; null for anything but what we wrote, letter by letter. */
function open(proof: Proof, token: string, payloadBytes: number): Buffer | null {
  const length = payloadBytes + macBytes;
  if (token.length !== Math.ceil((length * 4) / 3)) return null;
  const bytes = Buffer.from(token, "base64url");
  // The decoder ignores unknown letters and spare bits: only the canonical spelling counts.
  if (bytes.length !== length || bytes.toString("base64url") !== token) return null;
  const payload = bytes.subarray(0, payloadBytes);
  const tag = bytes.subarray(payloadBytes);
  const ours = acceptedSecrets().some((secret) => timingSafeEqual(tag, proof(payload, secret)));
  return ours ? payload : null;
}

function uuidToken(kind: string, uuid: string): string {
  const payload = Buffer.allocUnsafe(uuidBytes);
  writeUuid(uuid, payload, 0);
  return seal(proofOf(kind), payload);
}

function readUuidToken(kind: string, token: string): string | null {
  const payload = open(proofOf(kind), token, uuidBytes);
  return payload && readUuid(payload, 0);
}

/** Lets the reader of one email unsubscribe, choose lists and view it: 35 letters of base64url. */
export function recipientToken(emailId: string): string {
  return uuidToken("recipient", emailId);
}

/** The email's uuid; null when the token is not ours. */
export function readRecipientToken(token: string): string | null {
  return readUuidToken("recipient", token);
}

/** Names an email to the installation's own provider, whose reports prove by it that the mail went that way. */
export function handedToken(emailId: string): string {
  return uuidToken("handed", emailId);
}

export function readHandedToken(token: string): string | null {
  return readUuidToken("handed", token);
}

/** Names an email in its pixel; that picture's address is of no other use. */
export function pixelToken(emailId: string): string {
  return uuidToken("open", emailId);
}

export function readPixelToken(token: string): string | null {
  return readUuidToken("open", token);
}

let clickKey = { email: Buffer.alloc(0), secret: "", key: Buffer.alloc(0) };

/**
 * A mail has many links and an HMAC costs 6 µs: one HMAC makes the email's key, and a hash of that key and
 * the payload, cut so that no other payload's follows from it, proves each link.
 */
function clickProof(payload: Buffer, secret = currentSecret()): Buffer {
  const email = payload.subarray(0, uuidBytes);
  if (clickKey.secret !== secret || !clickKey.email.equals(email)) {
    const key = Buffer.from(mac("token:click", email, 32, secret));
    clickKey = { email: Buffer.from(email), secret, key };
  }
  return hash("sha256", Buffer.concat([clickKey.key, payload]), "buffer").subarray(0, macBytes);
}

/** A link (`links.id`) in one email, and how many different links that email has (at most 255). */
export interface LinkInEmail {
  emailId: string;
  linkId: bigint;
  links: number;
}

/** 47 letters of base64url; 44 for a link that was counted. */
export function linkToken({ emailId, linkId, links }: LinkInEmail): string {
  const counted = linkId < 2n ** BigInt(8 * countedLinkIdBytes);
  const idBytes = counted ? countedLinkIdBytes : linkIdBytes;
  const payload = Buffer.allocUnsafe(uuidBytes + 1 + idBytes);
  writeUuid(emailId, payload, 0);
  payload.writeUInt8(Math.min(links, 255), uuidBytes);
  if (counted) payload.writeUIntBE(Number(linkId), uuidBytes + 1, idBytes);
  else payload.writeBigUInt64BE(linkId, uuidBytes + 1);
  return seal(clickProof, payload);
}

export function readLinkToken(token: string): LinkInEmail | null {
  const start = uuidBytes + 1;
  const payload =
    open(clickProof, token, start + linkIdBytes) ??
    open(clickProof, token, start + countedLinkIdBytes);
  return (
    payload && {
      emailId: readUuid(payload, 0),
      linkId: BigInt(`0x${payload.toString("hex", start)}`),
      links: payload.readUInt8(uuidBytes),
    }
  );
}

const markBytes = 6;
const markOf = (email: string, secret?: string) =>
  mac("confirmed-address", foldAddress(email), markBytes, secret);

/**
 * Lets a subscriber (uuid) confirm that they want a list's mail, at the address that the link is mailed to. Links of
 * earlier releases do not name it.
 */
export function confirmToken(subscriberId: string, email?: string): string {
  if (email === undefined) return uuidToken("confirm", subscriberId);
  const payload = Buffer.allocUnsafe(uuidBytes + markBytes);
  writeUuid(subscriberId, payload, 0);
  markOf(email).copy(payload, uuidBytes);
  return seal(proofOf("confirm-address"), payload);
}

const openConfirmToken = (token: string): Buffer | null =>
  open(proofOf("confirm-address"), token, uuidBytes + markBytes) ??
  open(proofOf("confirm"), token, uuidBytes);

export function readConfirmToken(token: string): string | null {
  const payload = openConfirmToken(token);
  return payload && readUuid(payload, 0);
}

/** Whether a subscriber's token was mailed to one of these addresses. */
export function isMailedTo(token: string, addresses: readonly string[]): boolean {
  const mark = openConfirmToken(token)?.subarray(uuidBytes);
  if (!mark) return false;
  if (mark.length === 0) return true;
  return addresses.some((email) =>
    acceptedSecrets().some((secret) => timingSafeEqual(mark, markOf(email, secret))),
  );
}

/** Confirms what a person asked for (uuid of the request), and takes a change of address back. */
export function personRequestToken(requestId: string): string {
  return uuidToken("person-request", requestId);
}

export function readPersonRequestToken(token: string): string | null {
  return readUuidToken("person-request", token);
}

/** Takes a change of address back and does nothing else: the previous address gets it. */
export function addressUndoToken(requestId: string): string {
  return uuidToken("address-undo", requestId);
}

export function readAddressUndoToken(token: string): string | null {
  return readUuidToken("address-undo", token);
}

/** Like a recipient's token, for mail without an email row: names a contact, of a list or not. */
export function contactToken(contactId: string, listId?: string): string {
  if (listId === undefined) return uuidToken("contact", contactId);
  const payload = Buffer.allocUnsafe(2 * uuidBytes);
  writeUuid(contactId, payload, 0);
  writeUuid(listId, payload, uuidBytes);
  return seal(proofOf("contact-list"), payload);
}

export function readContactToken(
  token: string,
): { contactId: string; listId: string | null } | null {
  const alone = open(proofOf("contact"), token, uuidBytes);
  if (alone) return { contactId: readUuid(alone, 0), listId: null };
  const both = open(proofOf("contact-list"), token, 2 * uuidBytes);
  return both && { contactId: readUuid(both, 0), listId: readUuid(both, uuidBytes) };
}

/** Lets somebody who signed up by a form (uuid of the sign-up) confirm that it was them. */
export function signUpToken(signUpId: string): string {
  return uuidToken("sign-up", signUpId);
}

export function readSignUpToken(token: string): string | null {
  return readUuidToken("sign-up", token);
}

/** Opens the report of a campaign (uuid of the link) for whoever has it. */
export function reportToken(linkId: string): string {
  return uuidToken("report", linkId);
}

export function readReportToken(token: string): string | null {
  return readUuidToken("report", token);
}

/** When a page with a form (uuid) was made, in seconds since 1970; no two stamps are the same. */
export function formStamp(formId: string, seconds: number): string {
  const payload = Buffer.allocUnsafe(uuidBytes + 4 + stampNonceBytes);
  writeUuid(formId, payload, 0);
  payload.writeUInt32BE(seconds, uuidBytes);
  randomFillSync(payload, uuidBytes + 4);
  return seal(proofOf("form-stamp"), payload);
}

/** The seconds; null for anything but a stamp of this form. */
export function readFormStamp(formId: string, stamp: string): number | null {
  const payload = open(proofOf("form-stamp"), stamp, uuidBytes + 4 + stampNonceBytes);
  if (payload === null || readUuid(payload, 0) !== formId) return null;
  return payload.readUInt32BE(uuidBytes);
}

/** A file of an incoming mail (uuid), until a time in seconds since 1970. */
export interface AttachmentLink {
  inboundId: string;
  position: number;
  expires: number;
}

export function attachmentToken({ inboundId, position, expires }: AttachmentLink): string {
  const payload = Buffer.allocUnsafe(uuidBytes + 2 + 4);
  writeUuid(inboundId, payload, 0);
  payload.writeUInt16BE(position, uuidBytes);
  payload.writeUInt32BE(expires, uuidBytes + 2);
  return seal(proofOf("attachment"), payload);
}

export function readAttachmentToken(token: string): AttachmentLink | null {
  const payload = open(proofOf("attachment"), token, uuidBytes + 2 + 4);
  return (
    payload && {
      inboundId: readUuid(payload, 0),
      position: payload.readUInt16BE(uuidBytes),
      expires: payload.readUInt32BE(uuidBytes + 2),
    }
  );
}
