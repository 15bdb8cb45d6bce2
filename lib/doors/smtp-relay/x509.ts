import { createPublicKey, randomBytes, sign, type KeyObject } from "node:crypto";
import { isIP } from "node:net";

/*
 * A self-signed X.509 certificate in DER (RFC 5280, ITU-T X.690): Node signs, but makes no certificates.
 */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const hex = body.length.toString(16);
  const length = Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

const sequence = (...parts: Uint8Array[]) => der(tags.sequence, ...parts);

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const digits = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return der(tags.oid, Buffer.from(bytes));
}

const time = (date: Date) =>
  der(tags.generalizedTime, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, "")));

function nameOf(commonName: string): Buffer {
  const attribute = sequence(oid("2.5.4.3"), der(tags.utf8String, Buffer.from(commonName)));
  return sequence(der(tags.set, attribute));
}

/** GeneralName: an address as its octets, anything else as a DNS name. */
function alternativeName(host: string): Buffer {
  if (isIP(host) === 4) return der(0x87, Buffer.from(host.split(".").map(Number)));
  return der(0x82, Buffer.from(host, "ascii"));
}

const extension = (id: string, critical: boolean, value: Buffer) =>
  sequence(
    oid(id),
    ...(critical ? [der(tags.boolean, Buffer.from([0xff]))] : []),
    der(tags.octetString, value),
  );

/** The certificate in PEM for a P-256 key, signed by that key itself. `hosts` are DNS names and IPv4 addresses. */
export function selfSignedCertificate(options: {
  privateKey: KeyObject;
  hosts: readonly string[];
  notBefore: Date;
  notAfter: Date;
}): string {
  const { privateKey, hosts, notBefore, notAfter } = options;
  const algorithm = sequence(oid("1.2.840.10045.4.3.2")); // ecdsa-with-SHA256
  // A common name has 64 characters at most; clients read the alternative names.
  const name = nameOf((hosts[0] ?? "").slice(0, 64));
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const certificate = sequence(
    der(0xa0, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, serial),
    algorithm,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    createPublicKey(privateKey).export({ type: "spki", format: "der" }),
    der(
      0xa3,
      sequence(
        extension("2.5.29.17", false, sequence(...hosts.map(alternativeName))),
        extension("2.5.29.19", true, sequence()), // basicConstraints: no authority
      ),
    ),
  );
  const signature = sign("sha256", certificate, privateKey);
  const whole = sequence(
    certificate,
    algorithm,
    der(tags.bitString, Buffer.from([0]), signature), // no unused bits
  );
  const base64 = whole.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}
