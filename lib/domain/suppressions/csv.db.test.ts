import { Readable } from "node:stream";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { exportSuppressions } from "./export";
import { importSuppressions } from "./import";
import { addSuppression, getSuppression, listSuppressions } from "./suppressions";

const database = useTestDatabase();
const project = async () => (await makeProject(database.db)).ctx;
const take = (ctx: Context, text: string | Buffer, reason: "manual" | "hard_bounce" = "manual") =>
  importSuppressions(ctx, Readable.from([Buffer.from(text)]), { reason });
const everybody = async (ctx: Context) =>
  (await listSuppressions(ctx, { limit: 100 })).data
    .map(({ email, reason }) => [email, reason])
    .toSorted();
const exported = async (ctx: Context) => new Response(await exportSuppressions(ctx, {})).text();

test("what one project exports another takes over: addresses and reasons, each once", async () => {
  const [from, to] = [await project(), await project()];
  await addSuppression(from, { email: "a@example.com" });
  await take(from, "email,reason\nb@example.com,hard_bounce\nc@example.com,complaint\n");
  const text = await exported(from);
  expect(text.split("\r\n")[0]).toBe("email,reason,source,by,emailId,response,createdAt");
  expect(await take(to, text)).toEqual({ added: 3, known: 0, refused: 0, refusedRows: [] });
  expect(await everybody(to)).toEqual(await everybody(from));
  expect(await take(to, text)).toMatchObject({ added: 0, known: 3 });
  expect(await everybody(await project())).toEqual([]);
});

test("what is suppressed stays as it is; the same address twice counts once, in any case", async () => {
  const ctx = await project();
  await take(ctx, "ada@example.com\n", "hard_bounce");
  const file = "email;reason\nADA@example.com;manual\nb@example.com;\nB@EXAMPLE.com;complaint\n";
  expect(await take(ctx, file)).toMatchObject({ added: 1, known: 2, refused: 0 });
  expect(await getSuppression(ctx, "ada@example.com")).toMatchObject({ reason: "hard_bounce" });
  expect(await getSuppression(ctx, "b@example.com")).toMatchObject({ reason: "manual" });
});

test.each([
  ["email,created,reason,status\nx@example.com,1763719200,550 5.1.1 no such user,5.1.1\n"],
  ["address,code,error,created_at\nx@example.com,550,No such user,2026-11-21\n"],
  ["Recipient\tReason\nx@example.com\tbounce\n"],
  ["Email Address,First Name\nx@example.com,Xenia\n"],
  ["x@example.com\n"],
  ["\uFEFFEMAIL\r\nx@example.com\r\n"],
])(
  "the export of another provider is read (%j); a reason of its own becomes the one asked for",
  async (text) => {
    const ctx = await project();
    expect(await take(ctx, text, "hard_bounce")).toMatchObject({ added: 1, refused: 0 });
    expect(await everybody(ctx)).toEqual([["x@example.com", "hard_bounce"]]);
  },
);

test("rows without an address are counted and told by their line, a hundred at most; the others hold", async () => {
  const ctx = await project();
  const wrong = Array.from({ length: 150 }, (_, n) => `nobody${n}`).join("\n");
  const answer = await take(ctx, `email,reason\n,manual\na"b,x\nx@example.com,\n${wrong}\n`);
  expect(answer).toMatchObject({ added: 1, known: 0, refused: 152 });
  expect(answer.refusedRows).toHaveLength(100);
  expect(answer.refusedRows.slice(0, 3)).toEqual([
    { line: 2, email: "", reason: "has no email address" },
    { line: 3, email: 'a"b', reason: "has a quote inside a cell without quotes" },
    { line: 5, email: "nobody0", reason: "is not an email address" },
  ]);
});

test.each([
  ["", "file: holds no addresses"],
  ["email\n", "file: holds no addresses"],
  ["name,plan\nAda,pro\n", "file: has no column named email in its first line"],
  [Buffer.from([0xff, 0xfe, 0x61]), "file: is not UTF-8 text"],
])("a file that cannot be read changes nothing (%j)", async (text, message) => {
  const ctx = await project();
  await expect(take(ctx, text)).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    message: expect.stringContaining(message) as string,
  });
  expect(await everybody(ctx)).toEqual([]);
});

test("a file that breaks off in the middle suppresses nobody", async () => {
  const ctx = await project();
  async function* broken() {
    yield await Promise.resolve(Buffer.from("email\na@example.com\nb@exam"));
    throw new Error("The client is gone.");
  }
  await expect(importSuppressions(ctx, broken(), { reason: "manual" })).rejects.toThrow("gone");
  expect(await everybody(ctx)).toEqual([]);
});

test("30,000 addresses, and two files at once over the same ones, end in each once", async () => {
  const ctx = await project();
  const lines = Array.from({ length: 30_000 }, (_, n) => `p${n}@example.com`);
  const answers = await Promise.all([
    take(ctx, `email\n${lines.join("\n")}\n`),
    take(ctx, `email\n${lines.toReversed().slice(0, 1_000).join("\n")}\n`),
  ]);
  expect(answers[0].added + answers[1].added).toBe(30_000);
  expect((await exported(ctx)).trimEnd().split("\r\n")).toHaveLength(30_001);
}, 60_000);

test("editors import and viewers export; both stand in the audit log, without an address", async () => {
  const ctx = await project();
  const viewer = { ...ctx, role: "viewer" as const };
  await expect(take(viewer, "a@example.com\n")).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  await take(ctx, "a@example.com\n");
  await new Response(
    await exportSuppressions(viewer, { search: "a@example.com", reason: "manual" }),
  ).text();
  const acts = await database.db
    .select({ action: auditLog.action, details: auditLog.details })
    .from(auditLog)
    .where(and(eq(auditLog.projectId, ctx.projectId)))
    .orderBy(auditLog.id);
  expect(acts.slice(-2)).toEqual([
    { action: "import.suppressions", details: { added: 1, known: 0, refused: 0 } },
    { action: "export.suppressions", details: { filters: ["search", "reason"] } },
  ]);
});
