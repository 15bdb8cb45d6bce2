import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { exportContact } from "@/lib/domain/person-data/export";
import { addSuppression, listSuppressions } from "@/lib/domain/suppressions/suppressions";
import { testTemplate } from "@/lib/domain/templates/test-mail";
import { templateTest } from "@/lib/domain/templates/test-schema";
import type { Context } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { readZip } from "@/lib/testing/zip";
import { getContact, updateContact } from "./contacts";
import { deleteContact } from "./delete";
import { upsertContact } from "./upsert";

/* What stands under an address that a person had before a change is theirs, unless it is somebody else's by now. */

const database = useTestDatabase();
const former = "ada@example.com";
const email = "lovelace@example.com";

/** A test to whoever is no contact at the address, and a suppression of it. */
async function recordsAt(ctx: Context, address: string): Promise<void> {
  const written = { from: "news@sandbox.test", subject: "Hello", body: "<p>Hi</p>", to: [address] };
  await testTemplate(ctx, templateTest.parse(written));
  await addSuppression(ctx, { email: address });
}

async function moved() {
  const { ctx, projectId } = await makeProject(database.db);
  const { contact } = await upsertContact(ctx, { email: former });
  await updateContact(ctx, contact.id, { email });
  await recordsAt(ctx, former);
  return { ctx, projectId, uuid: decodeId("contact", contact.id) };
}

async function left(projectId: string) {
  const [row] = await database.db.execute(sql`
    select (select count(*)::int from emails where project_id = ${projectId} and recipient = ${former}) as emails,
      (select count(*)::int from suppressions where project_id = ${projectId} and email = ${former}) as suppressions,
      (select count(*)::int from inbound_emails where project_id = ${projectId}) as received`);
  return row;
}

async function downloaded(ctx: Context) {
  const stream = await exportContact(ctx, email);
  const files = readZip(Buffer.from(await new Response(stream).arrayBuffer()));
  return {
    contact: JSON.parse(files.get("contact.json") ?? "") as Record<string, unknown>,
    emails: JSON.parse(files.get("emails.json") ?? "") as unknown[],
  };
}

async function wrote(projectId: string, contactId: string | null): Promise<void> {
  await database.db.execute(sql`
    insert into inbound_emails (id, project_id, fingerprint, envelope_from, recipients, from_email, from_name,
      subject, reference_ids, contact_id, automatic, checks, text, attachments, route_patterns, unrouted, size, raw)
    values (new_id(${projectId}::uuid), ${projectId}, gen_random_uuid()::text::bytea, '', '{}', ${former}, 'Ada', 'Hi',
      '{}', ${contactId}, false, '{}', 'Hi', '[]', '{}', true, 1, 'x'::bytea)`);
}

describe("an address from before a change", () => {
  test("is erased with the person, and stays suppressed when it comes back", async () => {
    const { ctx, projectId } = await moved();
    await wrote(projectId, null);
    expect(await left(projectId)).toEqual({ emails: 1, suppressions: 1, received: 1 });
    await deleteContact(ctx, email);
    expect(await left(projectId)).toEqual({ emails: 0, suppressions: 0, received: 0 });
    await upsertContact(ctx, { email: former });
    const suppressed = await listSuppressions(ctx, { limit: 10 });
    expect(suppressed.data).toMatchObject([{ email: former, reason: "manual" }]);
  });

  test("is in the download of the person's data, with what stands under it", async () => {
    const { ctx } = await moved();
    const { contact, emails } = await downloaded(ctx);
    expect(contact["formerAddresses"]).toEqual([former]);
    expect(contact["suppressed"]).toMatchObject([{ address: former, reason: "manual" }]);
    expect(emails).toMatchObject([{ to: former, subject: "[Test] Hello" }]);
  });

  test("is known from their request as well, once the changes are kept no longer", async () => {
    const { ctx, projectId, uuid } = await moved();
    await database.db.execute(sql`delete from contact_changes where project_id = ${projectId}`);
    await database.db.execute(sql`
      insert into person_requests (id, project_id, contact_id, kind, email, previous_email, done_at)
      values (new_id(${projectId}::uuid), ${projectId}, ${uuid}, 'address', ${email}, ${former}, app_now())`);
    await deleteContact(ctx, email);
    expect(await left(projectId)).toMatchObject({ emails: 0, suppressions: 0 });
  });

  test("is left alone where it is somebody else's by now", async () => {
    const { ctx, projectId } = await moved();
    const { contact: other } = await upsertContact(ctx, { email: former });
    await wrote(projectId, decodeId("contact", other.id));
    expect((await downloaded(ctx)).contact).toMatchObject({ formerAddresses: [], suppressed: [] });
    await deleteContact(ctx, email);
    expect(await left(projectId)).toEqual({ emails: 1, suppressions: 1, received: 1 });
    expect(await getContact(ctx, former)).toMatchObject({ id: other.id });
  });

  test("is left alone in mail of somebody who had it later", async () => {
    const { ctx, projectId } = await moved();
    const { contact: other } = await upsertContact(ctx, { email: former });
    await wrote(projectId, decodeId("contact", other.id));
    await updateContact(ctx, other.id, { email: "grace@example.com" });
    await deleteContact(ctx, email);
    expect(await left(projectId)).toMatchObject({ received: 1 });
  });
});
