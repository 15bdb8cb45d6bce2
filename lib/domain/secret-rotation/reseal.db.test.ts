import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { domains, secondFactors } from "@/db/schema";
import { forgottenHash } from "@/lib/domain/contacts/forgotten";
import { findOrCreatePlatformToken } from "@/lib/domain/projects/platform-tokens";
import { connectionRow, createConnection } from "@/lib/domain/connections/connections";
import { createDomain } from "@/lib/domain/sending-domains/domains";
import { beginSecondFactor } from "@/lib/domain/users/second-factor";
import { findSession } from "@/lib/domain/users/sessions";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { relayCertificate } from "@/lib/doors/smtp/certificate";
import { reloadEnv } from "@/lib/ground/env/env";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { confirmAppSecret } from "@/lib/ground/installation";
import { unseal } from "@/lib/ground/secrets";
import {
  readReturnPath,
  readUnsubscribeAddress,
  returnPathOf,
  unsubscribeAddressOf,
} from "@/lib/mail/return-path";
import {
  confirmToken,
  contactToken,
  linkToken,
  pixelToken,
  readConfirmToken,
  readContactToken,
  readLinkToken,
  readPixelToken,
  readRecipientToken,
  recipientToken,
} from "@/lib/mail/tracking/tokens";
import { makeProject, sessionCookie } from "@/lib/testing";
import { resealAll } from "./reseal";

const database = useTestDatabase();
const names = ["APP_SECRET", "APP_SECRET_NEXT", "APP_SECRET_PREVIOUS"] as const;
const before = Object.fromEntries(names.map((name) => [name, process.env[name]]));
const [old, fresh] = [randomBytes(24).toString("hex"), randomBytes(24).toString("hex")];

function useSecrets(values: Partial<Record<(typeof names)[number], string>>): void {
  for (const name of names) {
    const value = values[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  reloadEnv();
}
const step = {
  start: () => useSecrets({ APP_SECRET: old }),
  announced: () => useSecrets({ APP_SECRET: old, APP_SECRET_NEXT: fresh }),
  changed: () => useSecrets({ APP_SECRET: fresh, APP_SECRET_PREVIOUS: old }),
  dropped: () => useSecrets({ APP_SECRET: fresh }),
};
beforeEach(() => step.start());
afterEach(() => useSecrets(before));

/** What has been handed out, and whether each part of it is still recognised. */
function handedOut() {
  const [emailId, subscriberId, contactId] = [newUnownedId(), newUnownedId(), newUnownedId()];
  const link = { emailId, linkId: 77n, links: 3 };
  const tokens = {
    link: linkToken(link),
    pixel: pixelToken(emailId),
    unsubscribe: recipientToken(emailId),
    confirm: confirmToken(subscriberId),
    preferences: contactToken(contactId),
    list: contactToken(contactId, subscriberId),
    returnPath: returnPathOf(emailId, "example.com"),
    mailto: unsubscribeAddressOf(emailId, "example.com"),
  };
  return () => ({
    link: readLinkToken(tokens.link)?.linkId === 77n,
    pixel: readPixelToken(tokens.pixel) === emailId,
    unsubscribe: readRecipientToken(tokens.unsubscribe) === emailId,
    confirm: readConfirmToken(tokens.confirm) === subscriberId,
    preferences: readContactToken(tokens.preferences)?.contactId === contactId,
    list: readContactToken(tokens.list)?.listId === subscriberId,
    returnPath: readReturnPath(tokens.returnPath) === emailId,
    mailto: readUnsubscribeAddress(tokens.mailto) === emailId,
  });
}
const all = (value: boolean) => ({
  link: value,
  pixel: value,
  unsubscribe: value,
  confirm: value,
  preferences: value,
  list: value,
  returnPath: value,
  mailto: value,
});

test("links, unsubscribe addresses and return paths of both secrets are good at every step, by programs of either", () => {
  const fromOld = handedOut();
  step.announced();
  expect(fromOld()).toEqual(all(true));
  step.changed();
  const fromNew = handedOut();
  expect([fromOld(), fromNew()]).toEqual([all(true), all(true)]);
  // A program that has not been restarted since it was announced.
  step.announced();
  expect([fromOld(), fromNew()]).toEqual([all(true), all(true)]);
  step.dropped();
  expect([fromOld(), fromNew()]).toEqual([all(false), all(true)]);
});

test("sessions go on, and deleted addresses stay known", async () => {
  const { userId, projectId } = await makeProject(database.db);
  const cookie = await sessionCookie(database.db, userId);
  const hash = forgottenHash(projectId, "ada@example.org");
  const isIn = async () => (await findSession(database.db, new Headers({ cookie }))) !== null;
  for (const next of [step.announced, step.changed]) {
    next();
    expect([await isIn(), forgottenHash(projectId, "ada@example.org") === hash]).toEqual([
      true,
      true,
    ]);
  }
  step.dropped();
  expect(await isIn()).toBe(false);
});

test("sealed values are read at every step, sealed anew in batches, and then the old secret is not needed", async () => {
  expect(await confirmAppSecret(database.db)).toBe(true);
  const { ctx, userId, projectId } = await makeProject(database.db);
  const owner = { projectId, userId };
  const token = await findOrCreatePlatformToken(database.db, owner);
  const certificate = await relayCertificate(database.db);
  const webhook = await createWebhook(ctx, {
    url: "http://127.0.0.1:9/hook",
    events: ["*"],
  } as never);
  const domain = await createDomain(ctx, { name: "example.org" });
  const [sealedDomain] = await database.db
    .select()
    .from(domains)
    .where(eq(domains.name, domain.name));
  const app = await beginSecondFactor({ ...ctx, session: { id: userId, onlyProject: false } });
  const { id: connectionId } = await createConnection(ctx, {
    name: "Ours",
    kind: "smtp",
    host: "127.0.0.1",
    user: "mail",
    password: "correct horse",
  });
  const { id: providerId } = await createConnection(ctx, {
    ...{ name: "Mailgun", kind: "mailgun", sendingDomain: "mg.example.com" },
    ...{ apiKey: "key-right", webhookSecret: "signing key" },
  });
  const key = unseal(sealedDomain?.dkimPrivateKeySealed ?? "");
  // More than one batch, as large installations have.
  await database.db.execute(sql`
    insert into webhooks (id, project_id, url, events, secret_sealed)
    select gen_random_uuid(), project_id, url, events, secret_sealed from webhooks, generate_series(1, 450)`);

  step.announced();
  expect(await findOrCreatePlatformToken(database.db, owner)).toBe(token);
  step.changed();
  expect(await confirmAppSecret(database.db)).toBe(true);
  expect(await findOrCreatePlatformToken(database.db, owner)).toBe(token);
  // Sealed with the new one before all is sealed anew: it stays as it is.
  const other = await makeProject(database.db);
  await findOrCreatePlatformToken(database.db, other);

  const summary = await resealAll(database.db);
  expect(summary).toMatchObject({ webhookSecrets: 451, platformTokens: 1, certificates: 1 });
  expect(summary.secondFactors).toBe(1);
  expect(summary.connections).toBe(2);
  expect(summary.connectionWebhooks).toBe(1);
  expect(summary.dkimKeys).toBeGreaterThanOrEqual(1);
  expect(Object.values(await resealAll(database.db)).every((count) => count === 0)).toBe(true);

  step.dropped();
  expect(await confirmAppSecret(database.db)).toBe(true);
  expect(await findOrCreatePlatformToken(database.db, owner)).toBe(token);
  expect(await relayCertificate(database.db)).toEqual(certificate);
  const [after] = await database.db.select().from(domains).where(eq(domains.name, domain.name));
  expect(unseal(after?.dkimPrivateKeySealed ?? "")).toBe(key);
  const [factor] = await database.db.select().from(secondFactors);
  expect(unseal(factor?.secretSealed ?? "")).toBe(app.secret);
  const { secretSealed } = await connectionRow(ctx, connectionId);
  expect(unseal(secretSealed)).toBe("correct horse");
  const provider = await connectionRow(ctx, providerId);
  expect(unseal(provider.webhookSecretSealed ?? "")).toBe("signing key");
  const secrets = await database.db.execute<{ sealed: string }>(
    sql`select distinct secret_sealed as sealed from webhooks`,
  );
  expect(new Set(secrets.map(({ sealed }) => unseal(sealed)))).toEqual(new Set([webhook.secret]));

  step.start();
  expect(await confirmAppSecret(database.db)).toBe(false);
});
