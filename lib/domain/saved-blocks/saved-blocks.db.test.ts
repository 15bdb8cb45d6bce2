import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { mostSavedBlocks, savedBlockInput } from "./schema";
import {
  createSavedBlock,
  deleteSavedBlock,
  listSavedBlocks,
  updateSavedBlock,
} from "./saved-blocks";

const database = useTestDatabase();

const header = [
  {
    type: "section",
    attrs: { background: "#112233", color: "#ffffff" },
    content: [
      {
        type: "heading",
        attrs: { level: 1, align: "center" },
        content: [{ type: "text", text: "Tea" }],
      },
      {
        type: "columns",
        content: [1, 2].map((share) => ({
          type: "column",
          attrs: { share },
          content: [{ type: "spacer", attrs: { height: 24 } }],
        })),
      },
    ],
  },
  { type: "divider" },
];
const faultsOf = (content: unknown) =>
  savedBlockInput
    .safeParse({ name: "Header", content })
    .error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`);

test("blocks come back as they were saved, their keys in their order, and only to their project", async () => {
  const { ctx } = await makeProject(database.db);
  const saved = await createSavedBlock(ctx, { name: "Header", content: header });
  expect(JSON.stringify(saved.content)).toBe(JSON.stringify(header));
  expect((await listSavedBlocks(ctx)).data).toEqual([saved]);

  const renamed = await updateSavedBlock(ctx, saved.id, { name: "Top" });
  expect(renamed).toMatchObject({ id: saved.id, name: "Top", content: header });
  const replaced = await updateSavedBlock(ctx, saved.id, { content: [{ type: "divider" }] });
  expect(replaced).toMatchObject({ name: "Top", content: [{ type: "divider" }] });

  const basedOn = saved.updatedAt;
  await expect(updateSavedBlock(ctx, saved.id, { name: "Unseen", basedOn })).rejects.toMatchObject({
    code: "CONFLICT",
    details: [{ path: "basedOn" }],
  });
  await updateSavedBlock(ctx, saved.id, { name: "Top", basedOn: replaced.updatedAt });

  const { ctx: stranger } = await makeProject(database.db);
  expect((await listSavedBlocks(stranger)).data).toEqual([]);
  await expect(updateSavedBlock(stranger, saved.id, { name: "Mine" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(deleteSavedBlock(stranger, saved.id)).rejects.toMatchObject({ code: "NOT_FOUND" });

  await deleteSavedBlock(ctx, saved.id);
  expect((await listSavedBlocks(ctx)).data).toEqual([]);
});

test("what is no block is refused at its place, and so is too much", () => {
  expect(faultsOf(header)).toBeUndefined();
  expect(faultsOf([])).toEqual(["content holds no block"]);
  expect(faultsOf([{ type: "spacer", attrs: { height: 1 } }])).toEqual([
    "content.0.attrs.height is below 4",
  ]);
  expect(faultsOf([{ type: "column", content: [] }])?.[0]).toMatch(/^content\.0/);
  expect(faultsOf([{ type: "html", attrs: { html: "x".repeat(50_000) } }])).toEqual([
    "content is larger than 50,000 characters of JSON",
  ]);
});

test("a name is another's only once, whatever its letters' case, and viewers save nothing", async () => {
  const { ctx } = await makeProject(database.db);
  const content = [{ type: "divider" }];
  await createSavedBlock(ctx, { name: "Line", content });
  await expect(createSavedBlock(ctx, { name: "LINE", content })).rejects.toMatchObject({
    code: "CONFLICT",
    message: "There is already a saved block called LINE in this project.",
    details: [{ path: "name", message: "is the name of another saved block" }],
  });
  const other = await createSavedBlock(ctx, { name: "Rule", content });
  await expect(updateSavedBlock(ctx, other.id, { name: "line" })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  const viewer = { ...ctx, role: "viewer" as const };
  for (const change of [
    () => createSavedBlock(viewer, { name: "No", content }),
    () => updateSavedBlock(viewer, other.id, { name: "No" }),
    () => deleteSavedBlock(viewer, other.id),
  ]) {
    await expect(change()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  }
});

test("a project keeps a hundred, however many ask for the last one", async () => {
  const { ctx } = await makeProject(database.db);
  const save = (name: string) => createSavedBlock(ctx, { name, content: [{ type: "divider" }] });
  for (let n = 0; n < mostSavedBlocks - 2; n++) await save(`Block ${n}`);
  const late = await Promise.allSettled([1, 2, 3, 4].map((n) => save(`Late ${n}`)));
  expect(late.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect((await listSavedBlocks(ctx)).data).toHaveLength(mostSavedBlocks);
});
