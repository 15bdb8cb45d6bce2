import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Role } from "@/db/enums";
import { memberships, savedViews } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { findOrCreateUser } from "@/lib/domain/users/users";
import type { Context } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { createSavedView, deleteSavedView, listSavedViews, renameSavedView } from "./saved-views";
import { mostViews, savedViewInput, savedViewQuery, savedViewUpdate } from "./schema";

const database = useTestDatabase();

const inputOf = (name: string, more: object = {}) =>
  validate(savedViewInput, { page: "contacts", name, query: { tag: "vip" }, ...more });
const namesOf = async (ctx: Context) => (await listSavedViews(ctx)).data.map(({ name }) => name);
const faultsOf = (input: object) => {
  try {
    validate(savedViewInput, { page: "contacts", name: "Best", query: { tag: "vip" }, ...input });
  } catch (error) {
    return (error as { details: { path: string; message: string }[] }).details;
  }
  return [];
};

/** Another member of the same project. */
async function colleague(ctx: Context, role: Role): Promise<Context> {
  const { projectId } = ctx;
  const email = `${newId(projectId)}@example.com`;
  const { id } = await findOrCreateUser(database.db, { email, name: "Grace" });
  await database.db.insert(memberships).values({ projectId, userId: id, role });
  return { ...ctx, role, actor: { type: "user", id } };
}

test("views are kept by page in the order they were saved, renamed and deleted", async () => {
  const { ctx } = await makeProject(database.db);
  const query = { search: "ada", subscribed: "false", sort: "-email" };
  const view = await createSavedView(ctx, inputOf(" Best ", { query }));
  expect(view).toMatchObject({ page: "contacts", name: "Best", query });
  await createSavedView(ctx, inputOf("Another"));
  await createSavedView(ctx, inputOf("Drafts", { page: "campaigns", query: { status: "DRAFT" } }));
  expect(await namesOf(ctx)).toEqual(["Best", "Another", "Drafts"]);
  expect((await listSavedViews(ctx, { page: "campaigns" })).data).toHaveLength(1);
  expect((await listSavedViews(ctx, { page: "emails" })).data).toEqual([]);

  const renamed = await renameSavedView(ctx, view.id, { name: "The best" });
  expect(renamed).toEqual({ ...view, name: "The best" });
  await deleteSavedView(ctx, view.id);
  expect(await namesOf(ctx)).toEqual(["Another", "Drafts"]);
  await expect(deleteSavedView(ctx, view.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each([
  ["subscribers", { status: "unconfirmed", search: "ada" }, { sort: "email" }],
  ["suppressions", { reason: "complaint", search: "@shop.example" }, { status: "SENT" }],
])("%s have views of their own, with their own filters", async (page, query, foreign) => {
  const { ctx } = await makeProject(database.db);
  const view = await createSavedView(ctx, inputOf("Mine", { page, query }));
  expect(view).toMatchObject({ page, query });
  await createSavedView(ctx, inputOf("Mine"));
  expect((await listSavedViews(ctx, validate(savedViewQuery, { page }))).data).toEqual([view]);
  expect(faultsOf({ page, query: foreign })).toMatchObject([
    { path: `query.${Object.keys(foreign)[0]}` },
  ]);
});

test("a page has one view of a name, however it is written and however many ask at once", async () => {
  const { ctx } = await makeProject(database.db);
  const outcomes = await Promise.allSettled(
    ["Best", "best", "BEST", "Best"].map((name) => createSavedView(ctx, inputOf(name))),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const taken = { code: "CONFLICT", details: [{ path: "name" }] };
  await expect(createSavedView(ctx, inputOf("bEst"))).rejects.toMatchObject(taken);
  // Other pages have names of their own.
  await createSavedView(ctx, inputOf("Best", { page: "emails", query: { status: "BOUNCED" } }));
  const { id, name } = await createSavedView(ctx, inputOf("Other"));
  await expect(renameSavedView(ctx, id, { name: "BEST" })).rejects.toMatchObject(taken);
  expect(await renameSavedView(ctx, id, { name: name.toUpperCase() })).toMatchObject({
    name: "OTHER",
  });
});

test("a member has fifty views in a project, however many ask for the last one", async () => {
  const { ctx } = await makeProject(database.db);
  for (let n = 0; n < mostViews - 2; n++) await createSavedView(ctx, inputOf(`View ${n}`));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) => createSavedView(ctx, inputOf(`Late ${n}`))),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(await namesOf(ctx)).toHaveLength(mostViews);
  await expect(createSavedView(ctx, inputOf("One more"))).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("50 saved views") as string,
  });
  // A colleague's are counted for themselves.
  await createSavedView(await colleague(ctx, "viewer"), inputOf("One more"));
});

test("views are their member's alone, and of one project", async () => {
  const { ctx } = await makeProject(database.db, { role: "viewer" });
  const other = await colleague(ctx, "owner");
  const elsewhere = await makeProject(database.db);
  const { id } = await createSavedView(ctx, inputOf("Mine"));
  await createSavedView(other, inputOf("Mine"));
  const inOther = { ...ctx, projectId: elsewhere.projectId };
  for (const stranger of [other, elsewhere.ctx, inOther]) {
    const notFound = { code: "NOT_FOUND" };
    await expect(renameSavedView(stranger, id, { name: "Yours" })).rejects.toMatchObject(notFound);
    await expect(deleteSavedView(stranger, id)).rejects.toMatchObject(notFound);
  }
  expect(await namesOf(inOther)).toEqual([]);
  await expect(createSavedView(inOther, inputOf("Mine"))).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await namesOf(ctx)).toEqual(["Mine"]);

  const key = { ...ctx, actor: { type: "apiKey", id: newId(ctx.projectId) } } as const;
  for (const act of [
    () => listSavedViews(key),
    () => createSavedView(key, inputOf("Of a key")),
    () => renameSavedView(key, id, { name: "Of a key" }),
    () => deleteSavedView(key, id),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  }
});

test("views go with the membership", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const leaving = await colleague(ctx, "editor");
  const userId = leaving.actor.id ?? "";
  await createSavedView(leaving, inputOf("Left behind"));
  await createSavedView(ctx, inputOf("Stays"));
  await database.db
    .delete(memberships)
    .where(and(eq(memberships.projectId, projectId), eq(memberships.userId, userId)));
  const rows = await database.db
    .select({ name: savedViews.name })
    .from(savedViews)
    .where(eq(savedViews.projectId, projectId));
  expect(rows).toEqual([{ name: "Stays" }]);
});

test("a view holds a filter as long as its page takes it", () => {
  const link = (length: number) => ({ page: "emails", query: { link: "x".repeat(length) } });
  expect(faultsOf(link(8_000))).toEqual([]);
  expect(faultsOf(link(8_001))).toContainEqual(expect.objectContaining({ path: "query.link" }));
});

test.each([
  ["no name", { name: " " }, "name"],
  ["a long name", { name: "x".repeat(61) }, "name"],
  ["a name of two lines", { name: "a\nb" }, "name"],
  ["another page", { page: "settings" }, "page"],
  ["no filter at all", { query: {} }, "query"],
  ["an empty filter", { query: { tag: "" } }, "query.tag"],
  ["a place in the list", { query: { tag: "vip", cursor: "abc" } }, "query.cursor"],
  ["a filter of another page", { query: { status: "SENT" } }, "query.status"],
  ["a value that the filter does not take", { query: { subscribed: "yes" } }, "query.subscribed"],
  ["an order that there is none of", { query: { sort: "plan" } }, "query.sort"],
  ["a date that is none", { page: "emails", query: { startDate: "soon" } }, "query.startDate"],
  ["a long search", { query: { search: "x".repeat(321) } }, "query.search"],
  ["more than there is", { shared: true }, "shared"],
])("a view with %s is refused, naming it", (_, input, path) => {
  expect(faultsOf(input).map((fault) => fault.path)).toEqual([path]);
});

test("a rename takes a name and nothing else", () => {
  expect(savedViewUpdate.safeParse({ name: "New" }).success).toBe(true);
  expect(savedViewUpdate.safeParse({}).success).toBe(false);
  expect(savedViewUpdate.safeParse({ name: "New", page: "emails" }).success).toBe(false);
});
