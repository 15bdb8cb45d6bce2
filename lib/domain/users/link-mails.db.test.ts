import { sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { memberships } from "@/db/schema";
import { makeProject } from "@/lib/testing";
import { mailLink } from "./link-mails";
import { consumeLoginToken } from "./login-tokens";
import { findOrCreateUser, getUser } from "./users";

const test = useTestDatabase();

async function captured(projectId: string) {
  return test.db.execute<{ raw: Buffer; envelope_to: string }>(
    sql`select raw, envelope_to from captured_emails where project_id = ${projectId}`,
  );
}

describe("links by mail", () => {
  it("mails a working link, in text and in HTML", async () => {
    const { projectId, userId } = await makeProject(test.db);
    const { email } = await getUser(test.db, userId);
    await mailLink(test.db, { email: email.toUpperCase(), purpose: "password_reset" });
    const [mail] = await captured(projectId);
    expect(mail?.envelope_to).toBe(email);
    const parsed = await PostalMime.parse(mail?.raw ?? "");
    const token = /\/sign-in\/reset\/(\w+)/.exec(parsed.text ?? "")?.[1] ?? "";
    expect(parsed.html).toContain(`/sign-in/reset/${token}`);
    expect(await consumeLoginToken(test.db, token, "password_reset")).toMatchObject({
      user: { id: userId },
    });
  });

  it("stays out of a captured mailbox that another member can open", async () => {
    const { projectId, userId } = await makeProject(test.db);
    const viewer = await findOrCreateUser(test.db, { email: "viewer@example.com" });
    await test.db.insert(memberships).values({ projectId, userId: viewer.id, role: "viewer" });
    const { email } = await getUser(test.db, userId);
    await mailLink(test.db, { email, purpose: "login" });
    expect(await captured(projectId)).toEqual([]);
  });

  it("sends nothing to an address without an account", async () => {
    await mailLink(test.db, { email: "stranger@example.com", purpose: "login" });
    const [row] = await test.db.execute<{ mails: number }>(sql`
      select count(*)::int as mails from captured_emails
      where envelope_to = 'stranger@example.com'`);
    expect(row?.mails).toBe(0);
  });
});
