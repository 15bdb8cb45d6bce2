import { expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { links } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { LinkRegistry, linkIdOf } from "./link-registry";

const database = useTestDatabase();

it("an answer holds the addresses asked for, however many others the message has", async () => {
  const { projectId } = await makeProject(database.db);
  const registry = new LinkRegistry(database.db);
  const source = { id: newId(projectId), projectId, campaignId: null };
  const urlOf = (n: number) => `https://shop.example/${n}`;
  const all = Array.from({ length: 1000 }, (_, n) => urlOf(n));
  const first = await registry.idsOf(source, all);
  const later = await registry.idsOf(source, [urlOf(7), urlOf(1001), urlOf(7)]);
  expect([...later.keys()].toSorted()).toEqual([urlOf(1001), urlOf(7)]);
  expect(later.get(urlOf(7))).toBe(first.get(urlOf(7)));
  expect([...first.values()].includes(later.get(urlOf(1001)) ?? null)).toBe(false);
});

it("tracks the first thousand addresses of a mail, and writes down no others", async () => {
  const { projectId } = await makeProject(database.db);
  const registry = new LinkRegistry(database.db);
  const source = { id: newId(projectId), projectId, campaignId: null };
  const urls = Array.from({ length: 1_200 }, (_, n) => `https://shop.example/${n}`);
  const ids = await registry.idsOf(source, [...urls, ...urls]);
  expect(ids.size).toBe(1_200);
  expect(urls.map((url) => typeof ids.get(url) === "bigint")).toEqual(
    urls.map((_, place) => place < 1_000),
  );
  expect(ids.get("https://shop.example/1000")).toBeNull();
  expect(await database.db.$count(links, eq(links.messageId, source.id))).toBe(1_000);
});

it("a link's id is a hash, the same in every database; one that a version before counted stays", async () => {
  const { projectId } = await makeProject(database.db);
  const source = { id: newId(projectId), projectId, campaignId: null };
  const [counted] = await database.db
    .insert(links)
    .values({ projectId, messageId: source.id, url: "https://shop.example/old" })
    .returning({ id: links.id });
  const ids = await new LinkRegistry(database.db).idsOf(source, [
    "https://shop.example/old",
    "https://shop.example/new",
  ]);
  expect(ids.get("https://shop.example/old")).toBe(counted?.id);
  expect(ids.get("https://shop.example/new")).toBe(linkIdOf(source.id, "https://shop.example/new"));
  expect(linkIdOf("0192f3c4-7d1e-7c3a-9a39-0c5f3e1d2b4a", "https://shop.example/new")).toBe(
    6251074255452339022n,
  );
});

it("a link whose id another link has already stays untracked, and the mail's others do not", async () => {
  const { projectId } = await makeProject(database.db);
  const source = { id: newId(projectId), projectId, campaignId: null };
  const [taken, free] = ["https://shop.example/taken", "https://shop.example/free"] as const;
  await database.db.insert(links).values({
    id: linkIdOf(source.id, taken),
    projectId,
    messageId: newId(projectId),
    url: "https://elsewhere.example",
  });
  const ids = await new LinkRegistry(database.db).idsOf(source, [taken, free]);
  expect(ids.get(taken)).toBeNull();
  expect(ids.get(free)).toBe(linkIdOf(source.id, free));
});
