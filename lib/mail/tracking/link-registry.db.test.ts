import { expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { links } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { LinkRegistry } from "./link-registry";

const database = useTestDatabase();

it("an answer holds the addresses asked for, however many others the message has", async () => {
  const { projectId } = await makeProject(database.db);
  const registry = new LinkRegistry(database.db);
  const source = { id: newUnownedId(), projectId, campaignId: null };
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
  const source = { id: newUnownedId(), projectId, campaignId: null };
  const urls = Array.from({ length: 1_200 }, (_, n) => `https://shop.example/${n}`);
  const ids = await registry.idsOf(source, [...urls, ...urls]);
  expect(ids.size).toBe(1_200);
  expect(urls.map((url) => typeof ids.get(url) === "number")).toEqual(
    urls.map((_, place) => place < 1_000),
  );
  expect(ids.get("https://shop.example/1000")).toBeNull();
  expect(await database.db.$count(links, eq(links.messageId, source.id))).toBe(1_000);
});
