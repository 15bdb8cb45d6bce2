import { beforeAll, expect, test } from "vitest";
import { eq } from "drizzle-orm";
import {
  campaigns,
  contacts,
  domains,
  files,
  formFigures,
  forms,
  listFigures,
  lists,
  segments,
  subscribers,
} from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { doors } from "@/lib/doors/http/contract/doors";
import { createList } from "@/lib/domain/lists/lists";
import { listInput } from "@/lib/domain/lists/schema";
import { env } from "@/lib/ground/env/env";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { writeCursor } from "@/lib/ground/paging/cursor";
import { validate } from "@/lib/ground/validate";
import { makeProject, sessionCookie, type TestProject } from "@/lib/testing";

/* What the dashboard's lists are sorted by, page by page; programs are not offered it. */

const database = useTestDatabase();
let project: TestProject;
let cookie: string;

beforeAll(async () => {
  project = await makeProject(database.db);
  cookie = await sessionCookie(database.db, project.userId);
});

interface Answer {
  data: { id: string; name?: string; path?: string }[];
  nextCursor?: string;
}

async function ask(path: string, query: Record<string, string>, withKey = false) {
  const target = `/v1/${path}?${new URLSearchParams(query).toString()}`;
  const { status, text } = await doors.hono({
    method: "GET",
    path: withKey ? target : `/api/dashboard/${encodeId("project", project.projectId)}${target}`,
    headers: withKey
      ? { authorization: `Bearer ${project.apiKey}` }
      : { cookie, origin: env().APP_URL },
  });
  return { status, ...(JSON.parse(text) as Answer) };
}

/** The names of all, in the order they are listed in, two a page. */
async function all(path: string, sort?: string): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { status, data, nextCursor } = await ask(path, {
      limit: "2",
      ...(sort && { sort }),
      ...(cursor && { cursor }),
    });
    expect(status, `${path} ${sort}`).toBe(200);
    seen.push(...data.map((item) => item.name ?? ""));
    cursor = nextCursor;
  } while (cursor);
  return seen;
}

/** Both ways, and that a cursor of one order is none of another. */
async function expectSorted(path: string, by: string, names: readonly string[]): Promise<void> {
  expect(await all(path, by)).toEqual(names);
  expect(await all(path, `-${by}`)).toEqual([...names].reverse());
  for (const [of, key] of [
    ["another", "1"],
    [by, "\0"],
  ] as const) {
    const cursor = writeCursor(of, key, newId(project.projectId));
    expect((await ask(path, { sort: by, cursor })).status).toBe(400);
  }
}

const own = () => ({ id: newId(project.projectId), projectId: project.projectId });

test("lists are sorted by name and by how many are subscribed, also those that are not counted yet", async () => {
  const { ctx, projectId } = project;
  const people = Array.from({ length: 4 }, (_, at) => ({
    ...own(),
    email: `p${at}@sorted.example`,
    consent: "subscribed" as const,
  }));
  await database.db.insert(contacts).values(people);
  const sizes = { weekly: 1, Autumn: 4, daily: 0, Zebra: 2, autumn: 2 };
  for (const [name, size] of Object.entries(sizes)) {
    const { id } = await createList(
      ctx,
      validate(listInput, { name, fromEmail: "news@sandbox.test" }),
    );
    const listId = decodeId("list", id) ?? "";
    if (size === 0) continue;
    await database.db.insert(subscribers).values(
      people.slice(0, size).map((person) => ({
        ...{ id: newId(projectId), projectId, listId, contactId: person.id },
        status: "subscribed" as const,
        source: "added" as const,
      })),
    );
  }
  const [zebra] = await database.db.select().from(lists).where(eq(lists.name, "Zebra"));
  await database.db.delete(listFigures).where(eq(listFigures.listId, zebra?.id ?? ""));
  await expectSorted("lists", "name", ["Autumn", "autumn", "daily", "weekly", "Zebra"]);
  await expectSorted("lists", "subscribed", ["daily", "weekly", "Zebra", "autumn", "Autumn"]);
  await expectSorted("lists", "createdAt", ["weekly", "Autumn", "daily", "Zebra", "autumn"]);
  expect(await all("lists")).toEqual(["autumn", "Zebra", "daily", "Autumn", "weekly"]);
});

test("segments are sorted by name, people and last change", async () => {
  const made = (name: string, contactCount: number, day: number) => ({
    ...own(),
    ...{ name, contactCount, filter: { and: [] } },
    countedAt: new Date("2100-01-01"),
    updatedAt: new Date(Date.UTC(2026, 0, day, 12, 0, 0, 123)),
  });
  await database.db
    .insert(segments)
    .values([made("Pro", 7, 3), made("all", 120, 1), made("New", 7, 2), made("empty", 0, 2)]);
  await expectSorted("segments", "name", ["all", "empty", "New", "Pro"]);
  await expectSorted("segments", "contacts", ["empty", "Pro", "New", "all"]);
  await expectSorted("segments", "updatedAt", ["all", "New", "empty", "Pro"]);
  expect(await all("segments")).toEqual(["empty", "New", "all", "Pro"]);
});

test("domains are sorted by name and age", async () => {
  const key = { selector: "s", dkimPrivateKeySealed: "-", dkimPublicKey: "-" };
  await database.db.insert(domains).values(
    ["b.example", "a.example"].map((name) => ({
      ...own(),
      name,
      ...key,
      status: "PENDING" as const,
    })),
  );
  await expectSorted("domains", "name", ["a.example", "b.example", "sandbox.test"]);
  await expectSorted("domains", "createdAt", ["sandbox.test", "b.example", "a.example"]);
});

test("forms are sorted by name and by how many confirmed", async () => {
  const confirmed = { Footer: 3, Banner: 0, checkout: 12 };
  for (const [name, number] of Object.entries(confirmed)) {
    const form = { ...own(), name };
    await database.db.insert(forms).values(form);
    if (number > 0) {
      await database.db.insert(formFigures).values({
        formId: form.id,
        projectId: project.projectId,
        day: "2026-01-01",
        confirmed: number,
      });
    }
  }
  await expectSorted("forms", "name", ["Banner", "checkout", "Footer"]);
  await expectSorted("forms", "confirmed", ["Banner", "Footer", "checkout"]);
});

test("files are sorted by path, age and size", async () => {
  const file = (path: string, size: number) => ({
    ...own(),
    ...{ path, size, contentType: "image/png", sha256: Buffer.alloc(32) },
  });
  await database.db.insert(files).values([file("b.png", 5), file("A.png", 9), file("x/a.png", 5)]);
  expect(await all("files", "name")).toEqual(["A.png", "b.png", "a.png"]);
  expect(await all("files", "-size")).toEqual(["A.png", "a.png", "b.png"]);
  expect(await all("files", "createdAt")).toEqual(["b.png", "A.png", "a.png"]);
});

test("campaigns are sorted by when they went out or are to, those that are planned for no time last", async () => {
  const campaign = (name: string, when: object) => ({ ...own(), name, ...when });
  await database.db.insert(campaigns).values([
    campaign("Sent", {
      status: "SENT" as const,
      startedAt: new Date("2026-01-02T10:00:00.001Z"),
    }),
    campaign("Draft", {}),
    campaign("Planned", { status: "SCHEDULED" as const, scheduledAt: new Date("2100-01-01") }),
    campaign("Sent before", {
      status: "SENT" as const,
      startedAt: new Date("2026-01-02T10:00:00Z"),
    }),
    campaign("Idea", {}),
  ]);
  await expectSorted("campaigns", "date", ["Sent before", "Sent", "Planned", "Draft", "Idea"]);
});

test.each([
  ["campaigns", "date"],
  ["domains", "name"],
  ["forms", "name"],
  ["segments", "contacts"],
])("programs are refused to sort %s by %s, as before", async (path, sort) => {
  expect((await ask(path, { limit: "2" }, true)).status).toBe(200);
  expect(await ask(path, { sort }, true)).toMatchObject({
    status: 400,
    error: { details: [{ path: "sort" }] },
  });
});
