import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { desc, eq } from "drizzle-orm";
import {
  memberships,
  rateLimits,
  secondFactors,
  sessions,
  userIdentities,
  users,
} from "@/db/schema";
import { listAssistants } from "@/lib/domain/assistants/assistants";
import { followExport } from "@/lib/domain/exports/exports";
import { createGoal, deleteGoal, listGoals } from "@/lib/domain/goals/goals";
import { uploadFile } from "@/lib/domain/files/files";
import type { Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { createList } from "@/lib/domain/lists/lists";
import { addSubscriber } from "@/lib/domain/lists/change-subscribers";
import { inviteMember } from "@/lib/domain/members/invitations";
import { findOrCreateUser } from "@/lib/domain/users/users";
import type { PasskeyMade } from "@/lib/domain/users/passkey-schema";
import { createSavedView } from "@/lib/domain/saved-views/saved-views";
import {
  createSavedBlock,
  deleteSavedBlock,
  listSavedBlocks,
} from "@/lib/domain/saved-blocks/saved-blocks";
import { createProject } from "@/lib/domain/projects/projects";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { addPasskey, beginPasskey } from "@/lib/domain/users/passkeys";
import { beginSecondFactor, confirmSecondFactor } from "@/lib/domain/users/second-factor";
import { totpCode } from "@/lib/domain/users/totp";
import { createSession } from "@/lib/domain/users/sessions";
import type { TestProject } from "@/lib/testing";
import { softAuthenticator } from "@/lib/testing/passkeys";
import { assistantDoors, connectByConsent } from "@/lib/testing/assistant";
import type { Example } from "./example";

const nothing = "01890000-0000-7000-8000-000000000000";
let createdSoFar = 0;

const listInput = () => ({ name: "News", fromEmail: "news@sandbox.test" });
const anyList = async ({ ctx }: TestProject) => (await createList(ctx, listInput())).id;
const personInput = () => ({ email: `m${++createdSoFar}@example.com`, firstName: "Ada" });

const anyMember = async (project: TestProject) =>
  (
    await addSubscriber(project.ctx, await anyList(project), {
      ...personInput(),
      source: "added",
    })
  ).id;

const calendar = () => `BEGIN:VCALENDAR\r\nPRODID:${++createdSoFar}\r\nEND:VCALENDAR\r\n`;
const anyFile = async ({ ctx }: TestProject) =>
  (await uploadFile(ctx, { filename: "dates.ics", file: [Buffer.from(calendar())] })).id;

async function anySession({ ctx, userId }: TestProject): Promise<string> {
  const where = { address: "192.0.2.1", userAgent: "Test", platformTokenId: null };
  return encodeId("session", (await createSession(ctx.db, { userId, ...where })).id);
}

/** The member, signed in. */
const signedIn = ({ ctx, userId }: TestProject): Context => ({
  ...ctx,
  actor: { type: "user", id: userId },
  session: { id: userId, onlyProject: false },
});

/** The code that switches the member's second factor on. */
async function firstCode(project: TestProject): Promise<string> {
  const { ctx, userId } = project;
  await ctx.db.delete(secondFactors).where(eq(secondFactors.userId, userId));
  const { secret } = await beginSecondFactor(signedIn(project));
  return totpCode(secret, Math.floor(Date.now() / 30_000));
}

async function anyRecoveryCode(project: TestProject): Promise<string> {
  const code = await firstCode(project);
  return (await confirmSecondFactor(signedIn(project), { code })).recoveryCodes[0] ?? "";
}

/** The member in the session that is about to ask, where there is one: its age is all that proves who they are. */
async function inNewestSession(project: TestProject): Promise<Context> {
  await project.ctx.db.delete(secondFactors).where(eq(secondFactors.userId, project.userId));
  const newest = async () => {
    const [row] = await project.ctx.db
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.userId, project.userId))
      .orderBy(desc(sessions.id))
      .limit(1);
    return row?.id;
  };
  let id = await newest();
  if (id === undefined) {
    await anySession(project);
    id = (await newest()) ?? "";
  }
  return { ...signedIn(project), session: { id, onlyProject: false } };
}

/** Somebody who has neither password nor app, and has just signed in. */
async function withoutProof(project: TestProject): Promise<string> {
  await inNewestSession(project);
  const { ctx, userId } = project;
  await ctx.db.update(users).set({ passwordHash: null }).where(eq(users.id, userId));
  return "";
}

/** What a browser says of a passkey that it has made, as JSON. */
async function madePasskey(project: TestProject): Promise<string> {
  const { options } = await beginPasskey(await inNewestSession(project), {});
  return JSON.stringify(softAuthenticator({ origin: env().APP_URL }).create(options));
}

async function anyPasskey(project: TestProject): Promise<string> {
  const response = JSON.parse(await madePasskey(project)) as PasskeyMade;
  return (await addPasskey(await inNewestSession(project), { name: "Phone", response })).id;
}

/** An account at a provider that signs the member in; a password is their other way. */
async function anyIdentity(project: TestProject): Promise<string> {
  const { ctx, userId } = project;
  await inNewestSession(project);
  const [row] = await ctx.db
    .insert(userIdentities)
    .values({
      userId,
      issuer: "https://id.example",
      subject: newUnownedId(),
      email: "ada@id.example",
    })
    .onConflictDoUpdate({
      target: [userIdentities.userId, userIdentities.issuer],
      set: { subject: newUnownedId() },
    })
    .returning({ id: userIdentities.id });
  // Without a password or passkey it would be the last way in, and stay.
  await anyPasskey(project);
  return encodeId("identity", row?.id ?? "");
}

async function anyAssistant({ ctx, userId, projectId }: TestProject): Promise<string> {
  const doors = assistantDoors(() => ctx.db);
  const { client } = await connectByConsent(doors, { userId, projectId });
  await client.close();
  return (await listAssistants(ctx)).data[0]?.id ?? "";
}

/** Somebody who owns another project may delete this one; resolves to its name. */
async function spareProject({ ctx, userId }: TestProject): Promise<string> {
  await createProject(ctx.db, { name: "Another", ownerUserId: userId });
  return (await getProjectSettings(ctx)).name;
}

let site: number | undefined;

/** A web site on this machine that has one file. */
function siteAddress(): string {
  if (site === undefined) {
    const server = createServer((_request, response) => response.end(calendar()))
      .listen(0)
      .unref();
    site = (server.address() as AddressInfo).port;
  }
  return `http://127.0.0.1:${site}/dates.ics`;
}

const newAddress = () => `p${++createdSoFar}@example.net`;

async function anyInvitation(project: TestProject): Promise<string> {
  // As many as are allowed an hour, counted anew.
  await project.ctx.db.delete(rateLimits);
  const asked = { email: newAddress(), role: "editor" } as const;
  return (await inviteMember(signedIn(project), asked)).invitation.id;
}

/** Somebody else in the project. */
async function anyPerson({ ctx, projectId }: TestProject): Promise<string> {
  const user = await findOrCreateUser(ctx.db, { email: newAddress() });
  await ctx.db.insert(memberships).values({ projectId, userId: user.id, role: "editor" });
  return encodeId("user", user.id);
}

/** Whoever leaves does not leave the project alone. */
async function anotherOwner({ ctx, projectId }: TestProject): Promise<string> {
  const user = await findOrCreateUser(ctx.db, { email: newAddress() });
  await ctx.db.insert(memberships).values({ projectId, userId: user.id, role: "owner" });
  return "";
}

const oneInvitation = { id: anyInvitation, unknownId: encodeId("invitation", nothing) };
const onePerson = { id: anyPerson, unknownId: encodeId("user", nothing) };
const list = { id: anyList, unknownId: encodeId("list", nothing) };
const member = { id: anyMember, unknownId: encodeId("subscriber", nothing) };
const onePasskey = { id: anyPasskey, unknownId: encodeId("passkey", nothing) };
const viewInput = () => ({
  page: "contacts" as const,
  name: `View ${++createdSoFar}`,
  query: { tag: "vip", sort: "email" },
});
const anyView = async (project: TestProject) =>
  (await createSavedView(signedIn(project), viewInput())).id;
const oneView = { id: anyView, unknownId: encodeId("savedView", nothing) };
const savedBlockInput = () => ({
  name: `Blocks ${++createdSoFar}`,
  content: [{ type: "spacer", attrs: { height: 24 } }],
});
/** A project has a bounded number of them. */
async function anySavedBlock({ ctx }: TestProject): Promise<string> {
  const { data } = await listSavedBlocks(ctx);
  for (const { id } of data) await deleteSavedBlock(ctx, id);
  return (await createSavedBlock(ctx, savedBlockInput())).id;
}
async function deletedSavedBlock(project: TestProject): Promise<string> {
  const id = await anySavedBlock(project);
  await deleteSavedBlock(project.ctx, id);
  return id;
}
/** A figure has one goal in a period. */
async function noGoals({ ctx }: TestProject): Promise<string> {
  const { data } = await listGoals(ctx);
  for (const { id } of data) await deleteGoal(ctx, id);
  return "";
}
async function anyGoal(project: TestProject): Promise<string> {
  await noGoals(project);
  return (await createGoal(project.ctx, { figure: "sent", period: "month", target: 1000 })).id;
}
const oneGoal = { id: anyGoal, unknownId: encodeId("goal", nothing) };
const savedBlock = { id: anySavedBlock, unknownId: encodeId("savedBlock", nothing) };

/** A download that was broken off. */
async function anyExport(project: TestProject): Promise<string> {
  const id = `export-of-somebody-${++createdSoFar}`;
  const file = () => Promise.resolve(new Blob(["email"]).stream());
  await (await followExport(signedIn(project), id, file)).cancel();
  return id;
}
const oneExport = { id: anyExport, unknownId: "export-of-nobody-at-all" };

const paging = { query: { limit: "5" } };

/** For operations that answer only sessions: lists, files, the platform token and sessions. */
export const sessionExamples: Record<string, Example> = {
  listLists: paging,
  createList: { body: listInput },
  getList: list,
  updateList: { ...list, body: () => ({ name: "Another name", sendWelcomeEmail: true }) },
  deleteList: list,
  addListField: { ...list, body: () => ({ tag: "AGE", label: "Age", type: "number" }) },
  listSubscribers: { ...list, query: { limit: "5", search: "ada" } },
  addSubscriber: { ...list, body: personInput },
  getSubscriber: member,
  updateSubscriber: { ...member, body: () => ({ lastName: "Lovelace" }) },
  subscribeSubscriber: member,
  unsubscribeSubscriber: member,
  deleteSubscriber: member,
  listSavedBlocks: {},
  createSavedBlock: { body: savedBlockInput },
  updateSavedBlock: { ...savedBlock, body: () => ({ name: `Blocks ${++createdSoFar}` }) },
  deleteSavedBlock: savedBlock,
  restoreSavedBlock: { ...savedBlock, id: deletedSavedBlock },
  listGoals: {},
  createGoal: { id: noGoals, body: () => ({ figure: "openRate", period: "week", target: 25.5 }) },
  updateGoal: { ...oneGoal, body: () => ({ target: 2000 }) },
  deleteGoal: oneGoal,
  listFiles: paging,
  uploadFile: {
    query: { filename: "dates.ics", subdirectory: "calendars" },
    headers: { "content-type": "application/octet-stream" },
    body: calendar,
  },
  fetchFile: { body: () => ({ url: siteAddress() }) },
  deleteFile: { id: anyFile, unknownId: encodeId("file", nothing) },
  getPlatformToken: {},
  revealPlatformToken: {},
  rotatePlatformToken: {},
  getUsage: {},
  exportProject: {},
  previewRecipientPages: {
    body: () => ({ view: "preferences", theme: "dark", brandColor: "#0a5c36" }),
  },
  createProject: { body: () => ({ name: `Project ${++createdSoFar}` }) },
  deleteProject: { id: spareProject, body: ({ id }) => ({ name: id }) },
  getSecondFactor: {},
  beginSecondFactor: {},
  confirmSecondFactor: { id: firstCode, body: ({ id }) => ({ code: id }) },
  renewRecoveryCodes: { id: anyRecoveryCode, body: ({ id }) => ({ code: id }) },
  disableSecondFactor: { id: anyRecoveryCode, body: ({ id }) => ({ code: id }) },
  changePassword: {
    id: withoutProof,
    body: () => ({ newPassword: "a sentence that nobody guesses" }),
  },
  listPasskeys: {},
  beginPasskey: { body: () => ({}) },
  addPasskey: {
    id: madePasskey,
    body: ({ id }) => ({
      name: "Laptop",
      response: (id.startsWith("{") ? JSON.parse(id) : {}) as unknown,
    }),
  },
  renamePasskey: { ...onePasskey, body: () => ({ name: "Another name" }) },
  removePasskey: { ...onePasskey, body: () => ({}) },
  listIdentities: {},
  unlinkIdentity: {
    id: anyIdentity,
    unknownId: encodeId("identity", nothing),
    body: () => ({}),
  },
  listMembers: {},
  inviteMember: { body: () => ({ email: newAddress(), role: "editor" }) },
  resendInvitation: oneInvitation,
  withdrawInvitation: oneInvitation,
  updateMember: { ...onePerson, body: () => ({ role: "viewer" }) },
  removeMember: onePerson,
  leaveProject: { id: anotherOwner },
  getNotifications: {},
  updateNotifications: { body: () => ({ campaignSent: true, domainFailed: false }) },
  listSavedViews: { query: { page: "contacts" } },
  createSavedView: { body: viewInput },
  renameSavedView: { ...oneView, body: () => ({ name: `Another ${++createdSoFar}` }) },
  deleteSavedView: oneView,
  listSessions: {},
  endOtherSessions: {},
  listAuditEntries: {
    query: { limit: "5", action: "create.list", actor: "system", startDate: "2026-01-01" },
    wrongQuery: [{ actor: "ada@example.com" }, { action: "create.everything" }],
  },
  listAuditActors: {},
  exportAuditLog: { query: { action: "create.list" } },
  getExport: oneExport,
  cancelExport: oneExport,
  endSession: { id: anySession, unknownId: encodeId("session", nothing) },
  listAssistants: {},
  endAssistant: { id: anyAssistant, unknownId: encodeId("assistant", nothing) },
};
