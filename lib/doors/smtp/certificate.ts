import { smtpCertificateKey } from "@/lib/ground/installation";
import { KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "@/db/client";
import { installation } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { seal, unseal } from "@/lib/ground/secrets";

/** Both in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

const certificateSchema = z.object({ cert: z.string(), key: z.string() });
const lifeDays = 3650;
const renewalDays = 30;
const day = 86_400_000;

/** The setting is the PEM text itself or the path of a file that holds it. */
async function readPem(setting: string, value: string): Promise<string> {
  if (value.includes("-----BEGIN ")) return value;
  try {
    return await readFile(value, "utf8");
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new Error(`${setting} ${value} cannot be read: ${code}.`, { cause: error });
  }
}

function open(sealed: string): Certificate | null {
  try {
    return certificateSchema.parse(JSON.parse(unseal(sealed)));
  } catch {
    // Sealed with another APP_SECRET: a new one replaces it.
    return null;
  }
}

function isUsable({ cert }: Certificate, hostname: string): boolean {
  const x509 = new X509Certificate(cert);
  const remaining = Date.parse(x509.validTo) - Date.now();
  return remaining > renewalDays * day && x509.checkHost(hostname) !== undefined;
}

/** The library takes half a second and 29 MB to load: only a process that makes a certificate loads it. */
async function generateCertificate(hostname: string): Promise<Certificate> {
  await import("reflect-metadata");
  const { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } =
    await import("@peculiar/x509");
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const hosts = [...new Set([hostname, "localhost", "127.0.0.1"])];
  const now = Date.now();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    // A common name has at most 64 characters; clients read the alternative names.
    name: `CN=${hostname.slice(0, 64)}`,
    keys,
    signingAlgorithm: algorithm,
    // Yesterday, for clocks that disagree.
    notBefore: new Date(now - day),
    notAfter: new Date(now + lifeDays * day),
    extensions: [
      new SubjectAlternativeNameExtension(
        hosts.map((value) => ({
          type: isIP(value) === 0 ? ("dns" as const) : ("ip" as const),
          value,
        })),
      ),
      new BasicConstraintsExtension(false, undefined, true),
    ],
  });
  return {
    key: KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `${certificate.toString("pem")}\n`,
  };
}

/** The installation's own certificate, the same for all its processes; made when missing or about to expire. */
async function ownCertificate(db: Database, hostname: string): Promise<Certificate> {
  const read = async () => {
    const [kept] = await db
      .select({ value: installation.value })
      .from(installation)
      .where(eq(installation.key, smtpCertificateKey));
    return kept?.value ?? null;
  };
  const sealed = await read();
  const kept = sealed === null ? null : open(sealed);
  if (kept && isUsable(kept, hostname)) return kept;
  const certificate = await generateCertificate(hostname);
  const value = seal(JSON.stringify(certificate));
  // When several processes start together, they all use the first one's certificate.
  await db
    .insert(installation)
    .values({ key: smtpCertificateKey, value })
    .onConflictDoUpdate({
      target: installation.key,
      set: { value },
      setWhere: eq(installation.value, sealed ?? ""),
    });
  const stored = await read();
  return (stored === null ? null : open(stored)) ?? certificate;
}

/**
 * The relay's certificate: the configured one (SMTP_RELAY_TLS_CERT, SMTP_RELAY_TLS_KEY), otherwise a
 * self-signed one for MAIL_HOSTNAME. Throws a one-sentence error when the configured one cannot be used.
 */
export async function relayCertificate(db: Database): Promise<Certificate> {
  const { SMTP_RELAY_TLS_CERT: cert, SMTP_RELAY_TLS_KEY: key, MAIL_HOSTNAME } = env();
  if (cert === undefined && key === undefined) return ownCertificate(db, MAIL_HOSTNAME);
  if (cert === undefined || key === undefined) {
    throw new Error(
      "SMTP_RELAY_TLS_CERT and SMTP_RELAY_TLS_KEY belong together: set both or none.",
    );
  }
  const configured = {
    cert: await readPem("SMTP_RELAY_TLS_CERT", cert),
    key: await readPem("SMTP_RELAY_TLS_KEY", key),
  };
  try {
    createSecureContext(configured);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`SMTP_RELAY_TLS_CERT and SMTP_RELAY_TLS_KEY cannot be used: ${reason}.`, {
      cause: error,
    });
  }
  return configured;
}
