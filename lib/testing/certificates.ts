import "reflect-metadata";
import { KeyObject } from "node:crypto";
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const day = 86_400_000;
const span = () => ({
  notBefore: new Date(Date.now() - day),
  notAfter: new Date(Date.now() + 30 * day),
  signingAlgorithm: algorithm,
});

/** An authority for tests, and the certificates it issues, in PEM. */
export async function makeAuthority() {
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const name = "CN=Authority of a test";
  const root = await X509CertificateGenerator.createSelfSigned({
    ...{ name, keys, ...span() },
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  return {
    cert: root.toString("pem"),
    issue: async (host: string): Promise<{ cert: string; key: string }> => {
      const own = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
      const leaf = await X509CertificateGenerator.create({
        subject: `CN=${host}`,
        issuer: name,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        ...span(),
        extensions: [new SubjectAlternativeNameExtension([{ type: "dns", value: host }])],
      });
      const key = KeyObject.from(own.privateKey).export({ type: "pkcs8", format: "pem" });
      return { cert: leaf.toString("pem"), key: key.toString() };
    },
  };
}
