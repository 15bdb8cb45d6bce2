import { expect, test } from "vitest";
import { tlsAdviceOf } from "./tls-advice";

const whose = { domain: "shop.example", ownHost: "mx.sender.example" };
const advice = (type: string, receivingHost: string | null = "mx.shop.example") =>
  tlsAdviceOf({ type, receivingHost }, whose);

/** Every result type of RFC 8460, section 4.3, with what its advice has to name. */
const types: [type: string, names: RegExp][] = [
  ["starttls-not-supported", /STARTTLS/],
  ["certificate-host-mismatch", /MX record/],
  ["certificate-expired", /Renew/],
  ["certificate-not-trusted", /intermediate/],
  ["validation-failure", /TLS 1\.2/],
  ["tlsa-invalid", /TLSA record does not match/],
  ["dnssec-invalid", /DNSSEC/],
  ["dane-required", /TLSA record that DNSSEC proves/],
  ["sts-policy-fetch-error", /https:\/\/mta-sts\.shop\.example\/\.well-known\/mta-sts\.txt/],
  ["sts-policy-invalid", /max_age/],
  ["sts-webpki-invalid", /certificate of https:\/\/mta-sts\.shop\.example /],
];

test.each(types)("%s has advice of its own", (type, names) => {
  expect(advice(type)).toMatch(names);
  const others = types.filter(([other]) => other !== type);
  expect(others.map(([other]) => advice(other))).not.toContain(advice(type));
});

test("what the report leaves open is not guessed, whatever it is called", () => {
  for (const type of ["unknown", "quota", "constructor", "__proto__"]) {
    expect(advice(type)).toMatch(/^The report does not say why\./);
  }
});

test("a certificate of this installation's own server says who can change it", () => {
  const ours = "mx.sender.example";
  expect(advice("certificate-not-trusted", ours)).toMatch(/SMTP_RELAY_TLS_CERT/);
  expect(advice("certificate-not-trusted", null)).not.toMatch(/SMTP_RELAY_TLS_CERT/);
  expect(advice("sts-policy-invalid", ours)).not.toMatch(/SMTP_RELAY_TLS_CERT/);
});
