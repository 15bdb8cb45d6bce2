import PostalMime from "postal-mime";
import { afterEach, expect, test } from "vitest";
import { memberships } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { deleteProject } from "@/lib/domain/projects/delete";
import { createProject } from "@/lib/domain/projects/projects";
import { findLoginToken } from "@/lib/domain/users/login-tokens";
import { createSession } from "@/lib/domain/users/sessions";
import { findOrCreateUser } from "@/lib/domain/users/users";
import type { Context } from "@/lib/ground/context";
import { reloadEnv } from "@/lib/ground/env/env";
import { makeProject } from "@/lib/testing";
import { smtpError, startMailServer, type TestMailServer } from "@/lib/testing/delivery";
import { inviteMember, withdrawInvitation } from "./invitations";
import { leaveProject, listMembers } from "./members";

const database = useTestDatabase();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  delete process.env["MAIL_TRANSPORT"];
  reloadEnv();
});

async function mailServer(...options: Parameters<typeof startMailServer>): Promise<TestMailServer> {
  const server = await startMailServer(...options);
  stops.push(() => server.stop());
  process.env["MAIL_TRANSPORT"] = server.url;
  reloadEnv();
  return server;
}
async function owner(): Promise<Context> {
  const { ctx, projectId } = await makeProject(database.db, { name: "Tea shop" });
  return { ...ctx, session: { id: projectId, onlyProject: false } };
}
const mailOf = (server: TestMailServer) => PostalMime.parse(server.mails.at(-1)?.raw ?? "");

test("somebody new gets a link that signs them in and leads to the question", async () => {
  const server = await mailServer();
  const ctx = await owner();
  const email = "new@example.com";
  const { invitation, mailed } = await inviteMember(ctx, { email, role: "editor" });
  expect(mailed).toBe(true);
  expect(server.mails.at(-1)?.to).toEqual([email]);
  const mail = await mailOf(server);
  expect(mail.subject).toBe("You are invited to Tea shop");
  const token = /\/sign-in\/invitation\/(\w+)/.exec(mail.text ?? "")?.[1] ?? "";
  expect(mail.html).toContain(token);
  expect(await findLoginToken(database.db, token, "invitation")).toEqual({
    email,
    redirectTo: `/dashboard/join/${invitation.id}`,
  });
});

test("the link ends with the invitation, and with whoever sent it", async () => {
  const server = await mailServer();
  const ctx = await owner();
  const second = await findOrCreateUser(database.db, { email: "second@example.com" });
  await database.db
    .insert(memberships)
    .values({ projectId: ctx.projectId, userId: second.id, role: "owner" });
  const invite = async (by: Context, email: string) => {
    const { invitation } = await inviteMember(by, { email, role: "viewer" });
    const { text = "" } = await mailOf(server);
    return { id: invitation.id, token: /\/sign-in\/invitation\/(\w+)/.exec(text)?.[1] ?? "" };
  };
  const other = await owner();
  const withdrawn = await invite(ctx, "new1@example.com");
  const elsewhere = await invite(other, "new1@example.com");
  const left = await invite({ ...ctx, actor: { type: "user", id: second.id } }, "new2@example.com");
  const stays = await invite(ctx, "new3@example.com");
  await withdrawInvitation(ctx, withdrawn.id);
  await leaveProject({ ...ctx, actor: { type: "user", id: second.id } });
  const opens = async ({ token }: { token: string }) =>
    (await findLoginToken(database.db, token, "invitation"))?.email ?? null;
  expect(await Promise.all([withdrawn, left].map(opens))).toEqual([null, null]);
  expect(await Promise.all([elsewhere, stays].map(opens))).toEqual([
    "new1@example.com",
    "new3@example.com",
  ]);
});

test("the link ends with the project", async () => {
  const server = await mailServer();
  const { ctx, userId } = await makeProject(database.db, { name: "Tea shop" });
  await createProject(database.db, { name: "Spare", ownerUserId: userId });
  const by = { userId, platformTokenId: null, address: "192.0.2.1", userAgent: "Test" };
  const session = { ...(await createSession(database.db, by)), onlyProject: false };
  const email = "late@example.com";
  await inviteMember({ ...ctx, session }, { email, role: "viewer" });
  const { text = "" } = await mailOf(server);
  const token = /\/sign-in\/invitation\/(\w+)/.exec(text)?.[1] ?? "";
  expect(await findLoginToken(database.db, token, "invitation")).toMatchObject({ email });
  await deleteProject({ ...ctx, session }, { name: "Tea shop" });
  expect(await findLoginToken(database.db, token, "invitation")).toBeNull();
});

test("who has been here gets a link that signs nobody in", async () => {
  const server = await mailServer();
  const user = await findOrCreateUser(database.db, { email: "known@example.com" });
  const where = { address: "192.0.2.1", userAgent: "Test", platformTokenId: null };
  await createSession(database.db, { userId: user.id, ...where });
  const ctx = await owner();
  const { invitation } = await inviteMember(ctx, { email: user.email, role: "viewer" });
  const mail = await mailOf(server);
  expect(mail.text).toContain(invitation.url);
  expect(mail.text).not.toContain("/sign-in/");
});

test("a mail that the server refuses leaves the invitation standing, and says so", async () => {
  await mailServer({
    onRcptTo: (_address, _session, callback) => callback(smtpError(550, "No such user")),
  });
  const ctx = await owner();
  const sent = await inviteMember(ctx, { email: "gone@example.com", role: "viewer" });
  expect(sent.mailed).toBe(false);
  expect((await listMembers(ctx)).invitations).toHaveLength(1);
});

test("captured mail is shown to whom it is for, in a project of theirs", async () => {
  const other = await makeProject(database.db);
  const ctx = await owner();
  const [row] = await database.db.execute<{ email: string }>(
    `select email from users where id = '${other.userId}'`,
  );
  const sent = await inviteMember(ctx, { email: row?.email ?? "", role: "viewer" });
  expect(sent.mailed).toBe(true);
  const captured = await database.db.execute<{ project_id: string; reader_user_id: string }>(
    "select project_id, reader_user_id from captured_emails",
  );
  expect(captured).toMatchObject([{ project_id: other.projectId, reader_user_id: other.userId }]);
});
