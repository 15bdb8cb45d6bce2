import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { findOrCreatePlatformToken } from "@/lib/domain/projects/platform-tokens";
import { createTemplate } from "@/lib/domain/templates/templates";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { createPlatformApp } from "./platform/app";
import { createBearerApp } from "./v1/app";

const database = useTestDatabase();
/** A project may have any number of them, of five times this size. */
const [each, items] = [1024 * 1024, 8];

/** The answer's items, and the bytes of the largest piece in which they came. */
async function read(response: Response): Promise<{ body: unknown; largest: number }> {
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body ?? []) pieces.push(piece);
  const largest = Math.max(...pieces.map(({ byteLength }) => byteLength));
  return { body: JSON.parse(Buffer.concat(pieces).toString("utf8")), largest };
}

test("a template's versions are given one after the other, however large they are together", async () => {
  const { ctx, apiKey } = await makeProject(database.db);
  const template = await createTemplate(ctx, { name: "News", subject: "Hi", body: "<p>Now</p>" });
  const uuid = decodeId("template", template.id);
  await database.db.execute(sql`
    insert into template_versions (template_id, version, name, subject, body, created_at)
    select ${uuid}, n, 'News', 'Hi', repeat('x', ${each}), now() from generate_series(1, ${items}::int) n`);
  await database.db.execute(
    sql`update templates set version = ${items + 1}::int where id = ${uuid}`,
  );
  const { body, largest } = await read(
    await createBearerApp("key").fetch(
      new Request(`http://localhost/v1/templates/${template.id}/versions`, {
        headers: { authorization: `Bearer ${apiKey}` },
      }),
    ),
  );
  const { data } = body as { data: { version: number; body: string }[] };
  expect(data.map(({ version }) => version)).toEqual(
    Array.from({ length: items + 1 }, (_, n) => items + 1 - n),
  );
  expect([data[0]?.body, data[1]?.body.length]).toEqual(["<p>Now</p>", each]);
  expect(largest).toBeLessThan(1.1 * each);
});

test("so are the campaigns of the platform API, whose texts are in the list", async () => {
  const { ctx, projectId, userId } = await makeProject(database.db);
  for (let n = 1; n <= items; n++) {
    await createCampaign(ctx, { name: `Number ${n}`, incomplete: true });
  }
  await database.db.execute(sql`
    update campaigns set text = repeat('x', ${each}) where project_id = ${projectId}`);
  const token = await findOrCreatePlatformToken(database.db, { projectId, userId });
  const ask = (query: string) =>
    createPlatformApp().fetch(
      new Request(`http://localhost/api/v1/campaigns?api_token=${token}${query}`),
    );
  const { body, largest } = await read(await ask(""));
  const listed = body as { name: string; plain: string }[];
  expect(listed.map(({ name }) => name)).toEqual(
    Array.from({ length: items }, (_, n) => `Number ${items - n}`),
  );
  expect(listed.every(({ plain }) => plain.length === each)).toBe(true);
  expect(largest).toBeLessThan(1.1 * each);
  const second = (await read(await ask("&per_page=3&page=2"))).body as { name: string }[];
  expect(second.map(({ name }) => name)).toEqual(["Number 5", "Number 4", "Number 3"]);
  expect((await read(await ask("&page=2"))).body).toEqual([]);
});
