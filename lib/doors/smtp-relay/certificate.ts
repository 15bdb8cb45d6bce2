import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "@/db/client";
import { installation } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { seal, unseal } from "@/lib/ground/secrets";
import { selfSignedCertificate } from "./x509";

/** Both in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

const stored = z.object({ cert: z.string(), key: z.string() });
const row = "smtpRelayCertificate";
const lifeDays = 3650;
const renewalDays = 30;
const day = 86_400_000;

/** PEM text itself, or the file that holds it. */
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
    return stored.parse(JSON.parse(unseal(sealed)));
  } catch {
    // Sealed under another APP_SECRET: a new one takes its place.
    return null;
  }
}

function isUsable({ cert }: Certificate, hostname: string): boolean {
  const x509 = new X509Certificate(cert);
  const left = Date.parse(x509.validTo) - Date.now();
  return left > renewalDays * day && x509.checkHost(hostname) !== undefined;
}

function make(hostname: string): Certificate {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const now = Date.now();
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: selfSignedCertificate({
      privateKey,
      hosts: [...new Set([hostname, "localhost", "127.0.0.1"])],
      // A day for clocks that do not agree.
      notBefore: new Date(now - day),
      notAfter: new Date(now + lifeDays * day),
    }),
  };
}

/** The installation's own certificate, the same for all its processes; made when missing or about to end. */
async function ownCertificate(db: Database, hostname: string): Promise<Certificate> {
  const read = async () => {
    const [kept] = await db
      .select({ value: installation.value })
      .from(installation)
      .where(eq(installation.key, row));
    return kept?.value ?? null;
  };
  const sealed = await read();
  const kept = sealed === null ? null : open(sealed);
  if (kept && isUsable(kept, hostname)) return kept;
  const made = make(hostname);
  const value = seal(JSON.stringify(made));
  // Of processes that start together, the first one's certificate is everybody's.
  await db
    .insert(installation)
    .values({ key: row, value })
    .onConflictDoUpdate({
      target: installation.key,
      set: { value },
      setWhere: eq(installation.value, sealed ?? ""),
    });
  const won = await read();
  return (won === null ? null : open(won)) ?? made;
}

/**
 * The relay's certificate: the given one (SMTP_RELAY_TLS_CERT, SMTP_RELAY_TLS_KEY), else a self-signed
 * one for MAIL_HOSTNAME. Throws a sentence when what is given cannot be used.
 */
export async function relayCertificate(db: Database): Promise<Certificate> {
  const { SMTP_RELAY_TLS_CERT: cert, SMTP_RELAY_TLS_KEY: key, MAIL_HOSTNAME } = env();
  if (cert === undefined && key === undefined) return ownCertificate(db, MAIL_HOSTNAME);
  if (cert === undefined || key === undefined) {
    throw new Error(
      "SMTP_RELAY_TLS_CERT and SMTP_RELAY_TLS_KEY belong together: set both or none.",
    );
  }
  const given = {
    cert: await readPem("SMTP_RELAY_TLS_CERT", cert),
    key: await readPem("SMTP_RELAY_TLS_KEY", key),
  };
  try {
    createSecureContext(given);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`SMTP_RELAY_TLS_CERT and SMTP_RELAY_TLS_KEY cannot be used: ${reason}.`, {
      cause: error,
    });
  }
  return given;
}
