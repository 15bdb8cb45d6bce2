import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Role } from "@/db/enums";
import { invitations, memberships } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { listAuditEntries } from "@/lib/domain/audit/read";
import { deleteProject } from "@/lib/domain/projects/delete";
import {
  findOrCreatePlatformToken,
  findPlatformIdentity,
} from "@/lib/domain/projects/platform-tokens";
import { createProject, findRole } from "@/lib/domain/projects/projects";
import { createSession, findSession } from "@/lib/domain/users/sessions";
import { findOrCreateUser } from "@/lib/domain/users/users";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject, sessionCookie } from "@/lib/testing";
import { answerInvitation, listOwnInvitations } from "./answers";
import { inviteMember, resendInvitation, withdrawInvitation } from "./invitations";
import { leaveProject, listMembers, removeMember, updateMember } from "./members";
import { mostInvitations } from "./schema";

const database = useTestDatabase();
const origin = { address: "192.0.2.1", userAgent: "Test", requestId: "req_test" };
let people = 0;
const newAddress = () => `person${++people}@example.com`;

/** Acting as the project's member who has signed in. */
const signedIn = (ctx: Context): Context => ({
  ...ctx,
  session: { id: ctx.projectId, onlyProject: false },
});
async function project(role: Role = "owner") {
  const made = await makeProject(database.db, { role });
  return { ...made, ctx: signedIn(made.ctx) };
}

/** Another member; acts as themselves. */
async function colleague(ctx: Context, role: Role) {
  const user = await findOrCreateUser(database.db, { email: newAddress() });
  await database.db.insert(memberships).values({ projectId: ctx.projectId, userId: user.id, role });
  return {
    ...user,
    wireId: encodeId("user", user.id),
    ctx: { ...ctx, role, actor: { type: "user", id: user.id } } as Context,
  };
}
const roleOf = (ctx: Context, userId: string) => findRole(database.db, ctx.projectId, userId);

describe("an invitation", () => {
  test("makes a member of whoever has its address, once they say so", async () => {
    const { ctx } = await project("admin");
    const email = newAddress();
    const { invitation, mailed } = await inviteMember(ctx, { email, role: "editor" });
    // Under capture, somebody without a project has no mailbox.
    expect(mailed).toBe(false);
    expect(invitation).toMatchObject({ email, role: "editor", expired: false });
    expect(invitation.url).toMatch(/\/dashboard\/join\/inv_\w+$/);
    const user = await findOrCreateUser(database.db, { email: email.toUpperCase() });
    expect(await roleOf(ctx, user.id)).toBeNull();
    expect(await listOwnInvitations(database.db, user)).toMatchObject([
      { id: invitation.id, name: "Test project", role: "editor" },
    ]);
    const answer = { id: invitation.id, accepts: true };
    expect(await answerInvitation(database.db, user, answer, origin)).toEqual({
      projectId: encodeId("project", ctx.projectId),
    });
    expect(await roleOf(ctx, user.id)).toBe("editor");
    expect((await listMembers(ctx)).invitations).toEqual([]);
    await expect(answerInvitation(database.db, user, answer, origin)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const { data: entries } = await listAuditEntries(ctx, { limit: 5 });
    expect(entries.map(({ action }) => action).slice(0, 2)).toEqual([
      "accept.invitation",
      "invite.user",
    ]);
    expect(entries[0]).toMatchObject({ actor: { name: user.email }, address: "192.0.2.1" });
  });

  test("is nobody else's, and leads nowhere once declined, withdrawn or a week old", async () => {
    const { ctx } = await project();
    const email = newAddress();
    const invited = await findOrCreateUser(database.db, { email });
    const stranger = await findOrCreateUser(database.db, { email: newAddress() });
    const invite = async () => (await inviteMember(ctx, { email, role: "viewer" })).invitation.id;
    const refused = async (id: string, user = invited) =>
      expect(
        answerInvitation(database.db, user, { id, accepts: true }, origin),
      ).rejects.toMatchObject({ code: "NOT_FOUND" });
    const first = await invite();
    await refused(first, stranger);
    await refused("nonsense");
    await answerInvitation(database.db, invited, { id: first, accepts: false }, origin);
    await refused(first);
    const second = await invite();
    await withdrawInvitation(ctx, second);
    await refused(second);
    const third = await invite();
    await database.db
      .update(invitations)
      .set({ expiresAt: sql`app_now() - interval '1 second'` })
      .where(eq(invitations.email, email));
    expect((await listMembers(ctx)).invitations).toMatchObject([{ id: third, expired: true }]);
    expect(await listOwnInvitations(database.db, invited)).toEqual([]);
    await refused(third);
    await resendInvitation(ctx, third);
    await answerInvitation(database.db, invited, { id: third, accepts: true }, origin);
    expect(await roleOf(ctx, invited.id)).toBe("viewer");
  });

  test("is over with its project, also for somebody who answers while that is being deleted", async () => {
    const { ctx, projectId, userId } = await project();
    await createProject(database.db, { name: "Spare", ownerUserId: userId });
    const { address, userAgent } = origin;
    const by = { userId, platformTokenId: null, address, userAgent };
    const owner = {
      ...ctx,
      session: { ...(await createSession(database.db, by)), onlyProject: false },
    };
    const invite = async () => {
      const user = await findOrCreateUser(database.db, { email: newAddress() });
      const { invitation } = await inviteMember(ctx, { email: user.email, role: "owner" });
      return { user, id: invitation.id };
    };
    const answer = ({ user, id }: Awaited<ReturnType<typeof invite>>) =>
      answerInvitation(database.db, user, { id, accepts: true }, origin);
    const [early, late] = [await invite(), await invite()];
    const [deleted] = await Promise.allSettled([
      deleteProject(owner, { name: "Test project" }),
      answer(early),
    ]);
    expect(deleted.status).toBe("fulfilled");
    await expect(answer(late)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await listOwnInvitations(database.db, late.user)).toEqual([]);
    expect(await database.db.$count(memberships, eq(memberships.projectId, projectId))).toBe(0);
  });

  test("is sent by admins and owners who have signed in themselves, and owners alone make owners", async () => {
    for (const role of ["viewer", "editor"] as const) {
      const { ctx } = await project(role);
      await expect(
        inviteMember(ctx, { email: newAddress(), role: "viewer" }),
      ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    }
    const admin = await project("admin");
    const asOwner = { email: newAddress(), role: "owner" } as const;
    await expect(inviteMember(admin.ctx, asOwner)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    const { ctx } = await project();
    for (const session of [undefined, { id: ctx.projectId, onlyProject: true }]) {
      const { session: _, ...rest } = ctx;
      await expect(
        inviteMember({ ...rest, ...(session && { session }) }, asOwner),
      ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    }
    const { invitation } = await inviteMember(ctx, asOwner);
    const colleagueAdmin = await colleague(ctx, "admin");
    await expect(resendInvitation(colleagueAdmin.ctx, invitation.id)).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
  });

  test("goes once to a person, and not to members", async () => {
    const { ctx } = await project();
    const member = await colleague(ctx, "viewer");
    await expect(
      inviteMember(ctx, { email: member.email.toUpperCase(), role: "editor" }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
    const email = newAddress();
    const sent = await Promise.allSettled(
      [email, email.toUpperCase(), email].map((address) =>
        inviteMember(ctx, { email: address, role: "viewer" }),
      ),
    );
    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await listMembers(ctx)).invitations).toHaveLength(1);
  });

  test("is refused where too many wait, and where too many were sent", async () => {
    const { ctx, projectId, userId } = await project();
    await database.db.execute(sql`
      insert into invitations (id, project_id, email, role, invited_by, expires_at)
      select new_id(${projectId}), ${projectId}, 'many' || n || '@example.com', 'viewer', ${userId},
        app_now() + interval '1 day' from generate_series(1, ${mostInvitations}) n`);
    await expect(inviteMember(ctx, { email: newAddress(), role: "viewer" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    const [first] = (await listMembers(ctx)).invitations;
    const again = () => resendInvitation(ctx, first?.id ?? "");
    for (let nth = 0; nth < 29; nth++) await again();
    await expect(again()).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
  });

  test("of another project is not found", async () => {
    const { ctx } = await project();
    const other = await project();
    const { invitation } = await inviteMember(other.ctx, { email: newAddress(), role: "viewer" });
    for (const act of [resendInvitation, withdrawInvitation]) {
      await expect(act(ctx, invitation.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });
});

describe("members", () => {
  test("are listed with what they may do; whom the project has asked in is for those who may ask", async () => {
    const { ctx, userId } = await project();
    const viewer = await colleague(ctx, "viewer");
    const admin = await colleague(ctx, "admin");
    await inviteMember(ctx, { email: newAddress(), role: "editor" });
    const { data, invitations: open } = await listMembers(ctx);
    expect(data.map(({ id, role, you }) => ({ id, role, you }))).toEqual([
      { id: encodeId("user", userId), role: "owner", you: true },
      { id: admin.wireId, role: "admin", you: false },
      { id: viewer.wireId, role: "viewer", you: false },
    ]);
    expect(open).toHaveLength(1);
    expect((await listMembers(viewer.ctx)).invitations).toEqual([]);
  });

  test("get another role from admins, and from owners where an owner is made or unmade", async () => {
    const { ctx } = await project();
    const [admin, editor, owner] = [
      await colleague(ctx, "admin"),
      await colleague(ctx, "editor"),
      await colleague(ctx, "owner"),
    ];
    await updateMember(admin.ctx, editor.wireId, { role: "viewer" });
    expect(await roleOf(ctx, editor.id)).toBe("viewer");
    const refused = { code: "NOT_ALLOWED" };
    await expect(updateMember(admin.ctx, editor.wireId, { role: "owner" })).rejects.toMatchObject(
      refused,
    );
    await expect(updateMember(admin.ctx, owner.wireId, { role: "viewer" })).rejects.toMatchObject(
      refused,
    );
    await expect(removeMember(admin.ctx, owner.wireId)).rejects.toMatchObject(refused);
    await expect(updateMember(editor.ctx, editor.wireId, { role: "admin" })).rejects.toMatchObject(
      refused,
    );
    await expect(removeMember(editor.ctx, admin.wireId)).rejects.toMatchObject(refused);
    await updateMember(ctx, owner.wireId, { role: "editor" });
    expect(await roleOf(ctx, owner.id)).toBe("editor");
  });

  test("leave by themselves, but for the only owner, however many go at once", async () => {
    const { ctx, userId } = await project();
    const editor = await colleague(ctx, "editor");
    await leaveProject(editor.ctx);
    expect(await roleOf(ctx, editor.id)).toBeNull();
    const own = encodeId("user", userId);
    await expect(removeMember(ctx, own)).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(updateMember(ctx, own, { role: "admin" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    const second = await colleague(ctx, "owner");
    const gone = await Promise.allSettled([leaveProject(ctx), leaveProject(second.ctx)]);
    expect(gone.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const owners = await database.db
      .select()
      .from(memberships)
      .where(and(eq(memberships.projectId, ctx.projectId), eq(memberships.role, "owner")));
    expect(owners).toHaveLength(1);
  });

  test("take along whom they have asked in", async () => {
    const { ctx } = await project();
    const [gone, less] = [await colleague(ctx, "admin"), await colleague(ctx, "admin")];
    await inviteMember(gone.ctx, { email: newAddress(), role: "admin" });
    await inviteMember(less.ctx, { email: newAddress(), role: "viewer" });
    const kept = await inviteMember(ctx, { email: newAddress(), role: "viewer" });
    await removeMember(ctx, gone.wireId);
    await updateMember(ctx, less.wireId, { role: "editor" });
    const { invitations: open } = await listMembers(ctx);
    expect(open.map(({ id }) => id)).toEqual([kept.invitation.id]);
  });

  test.each(["are taken out", "leave"])(
    "who %s and are asked in again have neither the token nor the sessions of before",
    async (way) => {
      const { ctx } = await project();
      const gone = await colleague(ctx, "admin");
      const owner = { projectId: ctx.projectId, userId: gone.id };
      const token = await findOrCreatePlatformToken(database.db, owner);
      const { tokenId } = (await findPlatformIdentity(database.db, token)) ?? {};
      const cookie = await sessionCookie(database.db, gone.id, tokenId);
      const session = () => findSession(database.db, new Headers({ cookie }), ctx.projectId);
      expect(await session()).toMatchObject({ role: "admin" });

      if (way === "leave") await leaveProject(gone.ctx);
      else await removeMember(ctx, gone.wireId);
      const { invitation } = await inviteMember(ctx, { email: gone.email, role: "editor" });
      const answer = { id: invitation.id, accepts: true };
      await answerInvitation(database.db, gone, answer, origin);
      expect(await findPlatformIdentity(database.db, token)).toBeNull();
      expect(await session()).toBeNull();
      expect(await findOrCreatePlatformToken(database.db, owner)).not.toBe(token);
    },
  );

  test("of another project are not found", async () => {
    const { ctx } = await project();
    const other = await project();
    const stranger = await colleague(other.ctx, "editor");
    for (const id of [stranger.wireId, "nonsense"]) {
      await expect(updateMember(ctx, id, { role: "viewer" })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      await expect(removeMember(ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await roleOf(other.ctx, stranger.id)).toBe("editor");
  });
});
