import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { sendEmail } from "@/lib/domain/emails/send";
import { systemContext } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { getUsage, setMonthlyLimit } from "./usage";

const database = useTestDatabase();
const mail = { from: "hello@sandbox.test", subject: "Hello", body: "<p>Hi</p>" };

test("usage is counted by month, and is another project's own matter", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const other = await makeProject(database.db);
  await sendEmail(ctx, { ...mail, to: ["a@example.com", "b@example.com"] });
  await sendEmail(other.ctx, { ...mail, to: "c@example.com" });
  await database.db.execute(sql`
    insert into monthly_usage (project_id, month, slot, emails)
    select ${projectId}, date_trunc('month', app_now() at time zone 'UTC') - interval '2 months', slot, 500
    from unnest(array[3, 7]) slot`);
  const { limit, months } = await getUsage(ctx);
  expect(limit).toBeNull();
  expect(months).toHaveLength(12);
  expect(months.map(({ emails }) => emails)).toEqual([2, 0, 1_000, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(months[0]?.month).toBe(new Date().toISOString().slice(0, 7));
});

test("an operator's limit holds from the next email on, counting what was sent before, until it is lifted", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const operator = systemContext(database.db, projectId);
  const send = (to: string) => sendEmail(ctx, { ...mail, to });
  await send("a@example.com");
  await setMonthlyLimit(operator, 2);
  expect((await getUsage(ctx)).limit).toBe(2);
  await send("b@example.com");
  await expect(send("c@example.com")).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" });
  await setMonthlyLimit(operator, null);
  await send("c@example.com");
  expect((await getUsage(ctx)).months[0]?.emails).toBe(3);
});
