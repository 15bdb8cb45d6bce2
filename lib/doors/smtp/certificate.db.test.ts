import { createPrivateKey, X509Certificate } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { installation } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { reloadEnv } from "@/lib/ground/env/env";
import { relayCertificate } from "./certificate";

const database = useTestDatabase();

afterEach(() => {
  delete process.env["MAIL_HOSTNAME"];
  delete process.env["SMTP_RELAY_TLS_CERT"];
  delete process.env["SMTP_RELAY_TLS_KEY"];
  reloadEnv();
});

test("processes that start together get one certificate, and later ones get the same", async () => {
  const certificates = await Promise.all(
    Array.from({ length: 5 }, () => relayCertificate(database.db)),
  );
  expect(new Set(certificates.map(({ cert }) => cert)).size).toBe(1);
  expect(await relayCertificate(database.db)).toEqual(certificates[0]);
});

test("it is for its key, host name and loopback, signed by its own key, and lasts ten years", async () => {
  const hostname = `${"long.".repeat(20)}example.com`;
  process.env["MAIL_HOSTNAME"] = hostname;
  reloadEnv();
  const { cert, key } = await relayCertificate(database.db);
  const x509 = new X509Certificate(cert);
  expect(x509.verify(x509.publicKey)).toBe(true);
  expect(x509.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(x509.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  for (const host of [hostname, "localhost"]) expect(x509.checkHost(host)).toBe(host);
  expect(x509.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(x509.checkHost("example.com")).toBeUndefined();
  expect(x509.ca).toBe(false);
  const day = 86_400_000;
  expect(Date.parse(x509.validFrom)).toBeLessThan(Date.now() - day + 60_000);
  expect(Math.round((Date.parse(x509.validTo) - Date.now()) / day)).toBe(3650);
});

test("its key is sealed at rest", async () => {
  await relayCertificate(database.db);
  const [row] = await database.db
    .select()
    .from(installation)
    .where(eq(installation.key, "smtpRelayCertificate"));
  expect(row?.value).toMatch(/^[\w-]+$/);
});

test("another host name gets another certificate", async () => {
  const before = await relayCertificate(database.db);
  process.env["MAIL_HOSTNAME"] = "mail.example.com";
  reloadEnv();
  const after = await relayCertificate(database.db);
  expect(after.cert).not.toBe(before.cert);
  expect(new X509Certificate(after.cert).checkHost("mail.example.com")).toBe("mail.example.com");
});

test("a configured certificate is used, from PEM text; half of it or a broken one is an error", async () => {
  const own = await relayCertificate(database.db);
  process.env["SMTP_RELAY_TLS_CERT"] = own.cert;
  reloadEnv();
  await expect(relayCertificate(database.db)).rejects.toThrow("set both or none");
  process.env["SMTP_RELAY_TLS_KEY"] = own.key;
  reloadEnv();
  expect(await relayCertificate(database.db)).toEqual(own);
  process.env["SMTP_RELAY_TLS_KEY"] = "/nowhere/key.pem";
  reloadEnv();
  await expect(relayCertificate(database.db)).rejects.toThrow(
    "SMTP_RELAY_TLS_KEY /nowhere/key.pem cannot be read: ENOENT.",
  );
});
