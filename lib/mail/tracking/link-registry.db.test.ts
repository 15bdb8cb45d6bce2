import { expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { LinkRegistry } from "./link-registry";

const database = useTestDatabase();

it("an answer holds the addresses asked for, however many others the message has", async () => {
  const { projectId } = await makeProject(database.db);
  const registry = new LinkRegistry(database.db);
  const source = { id: newId(), projectId, campaignId: null };
  const urlOf = (n: number) => `https://shop.example/${n}`;
  const all = Array.from({ length: 1000 }, (_, n) => urlOf(n));
  const first = await registry.idsOf(source, all);
  const later = await registry.idsOf(source, [urlOf(7), urlOf(1001), urlOf(7)]);
  expect([...later.keys()].toSorted()).toEqual([urlOf(1001), urlOf(7)]);
  expect(later.get(urlOf(7))).toBe(first.get(urlOf(7)));
  expect([...first.values()].includes(later.get(urlOf(1001)) ?? null)).toBe(false);
});
