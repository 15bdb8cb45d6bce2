import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { selfSignedCertificate } from "./x509";

test("the certificate holds the key, the names and the times, and is signed by its own key", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = selfSignedCertificate({
    privateKey,
    hosts: [`${"long.".repeat(20)}example.com`, "localhost", "127.0.0.1"],
    notBefore: new Date("2026-11-20T10:00:00Z"),
    notAfter: new Date("2056-11-20T10:00:00Z"),
  });
  const x509 = new X509Certificate(pem);
  expect(x509.verify(x509.publicKey)).toBe(true);
  expect(x509.checkPrivateKey(privateKey)).toBe(true);
  expect(x509.checkHost("localhost")).toBe("localhost");
  expect(x509.checkHost(`${"long.".repeat(20)}example.com`)).toBeDefined();
  expect(x509.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(x509.checkHost("example.com")).toBeUndefined();
  expect(new Date(x509.validFrom)).toEqual(new Date("2026-11-20T10:00:00Z"));
  expect(new Date(x509.validTo)).toEqual(new Date("2056-11-20T10:00:00Z"));
  expect(x509.ca).toBe(false);
});
