import { X509Certificate } from "node:crypto";
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

test("processes that start together get one certificate, and later ones the same", async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => relayCertificate(database.db)));
  expect(new Set(made.map(({ cert }) => cert)).size).toBe(1);
  expect(await relayCertificate(database.db)).toEqual(made[0]);
  const x509 = new X509Certificate(made[0]?.cert ?? "");
  expect(x509.verify(x509.publicKey)).toBe(true);
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

test("a given certificate is used, from PEM text; half of it or a broken one is a sentence", async () => {
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
