import { and, asc, desc, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { templates, templateVersions } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { confirmationFault } from "@/lib/domain/own-mails/choose";
import { findOwnMail } from "@/lib/domain/references/own-mails";
import { containing } from "@/lib/ground/paging/like";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import { designAfter, designedContent } from "@/lib/mail/content/designed";
import { contactVariables } from "@/lib/mail/content/variables";
import { checkContent, renderOne } from "@/lib/mail/content/rendering";
import type {
  PreviewInput,
  RenderedTemplate,
  Template,
  TemplateInput,
  TemplatePage,
  TemplateQuery,
  TemplateSummary,
  TemplateUpdate,
} from "./schema";

type Row = typeof templates.$inferSelect;

const { body: _body, design: _design, ...summaryColumns } = getTableColumns(templates);

function toSummary(row: Omit<Row, "body" | "design">): TemplateSummary {
  return {
    id: encodeId("template", row.id),
    name: row.name,
    subject: row.subject,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export const toDesign = (design: object | null) => design as Record<string, unknown> | null;
const toTemplate = (row: Row): Template => ({
  ...toSummary(row),
  body: row.body,
  design: toDesign(row.design),
});

/** `lock`: against other changes, or against its deletion alone. Throws NOT_FOUND. */
export async function findTemplateRow(
  executor: Executor,
  ctx: Context,
  id: string,
  lock?: "update" | "key share",
): Promise<Row> {
  const uuid = decodeId("template", id);
  if (!uuid) throw notFound();
  const query = executor
    .select()
    .from(templates)
    .where(and(eq(templates.projectId, ctx.projectId), eq(templates.id, uuid)));
  const [row] = await (lock ? query.for(lock) : query);
  if (!row) throw notFound();
  return row;
}

function orderOf(sort: TemplateQuery["sort"]): SQL[] {
  const direction = sort === "name" || sort === "updatedAt" ? asc : desc;
  const key =
    sort === "name" || sort === "-name"
      ? [direction(sql`lower(${templates.name})`)]
      : sort === "updatedAt" || sort === "-updatedAt"
        ? [direction(templates.updatedAt)]
        : [];
  return [...key, direction(templates.id)];
}

/** One page, newest first unless sorted otherwise, with the total. Bodies are left out. */
export async function listTemplates(ctx: Context, query: TemplateQuery): Promise<TemplatePage> {
  requireRole(ctx, "viewer");
  const { page, pageSize, search, sort } = query;
  const pattern = search ? containing(search) : null;
  const where = and(
    eq(templates.projectId, ctx.projectId),
    pattern ? sql`${templates.name} ilike ${pattern}` : undefined,
  );
  const [rows, total] = await Promise.all([
    ctx.db
      .select(summaryColumns)
      .from(templates)
      .where(where)
      .orderBy(...orderOf(sort))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.$count(templates, where),
  ]);
  return {
    data: rows.map(toSummary),
    page,
    pageSize,
    total,
    totalPages: Math.ceil(total / pageSize),
  };
}

/** Throws NOT_FOUND. */
export async function getTemplate(ctx: Context, id: string): Promise<Template> {
  requireRole(ctx, "viewer");
  return toTemplate(await findTemplateRow(ctx.db, ctx, id));
}

/** Throws VALIDATION_ERROR for content that does not parse. Needs editor. */
export async function createTemplate(ctx: Context, input: TemplateInput): Promise<Template> {
  requireRole(ctx, "editor");
  const { body, design } = designedContent(input);
  await checkContent(ctx.projectId, { subject: input.subject, html: body });
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(templates)
      .values({
        ...input,
        body: body ?? input.body,
        design,
        id: newId(ctx.projectId),
        projectId: ctx.projectId,
      })
      .returning();
    if (!row) throw new Error("An insert returned no row.");
    const template = toTemplate(row);
    await audit(tx, ctx, "create.template", template.id, { name: template.name });
    return template;
  });
}

/** Throws VALIDATION_ERROR when a list or form asks people to confirm with the template, and they could no longer. */
async function refuseWithoutLink(
  tx: Executor,
  { projectId }: Context,
  before: Row,
  after: Pick<Row, "subject" | "body">,
): Promise<void> {
  if (after.subject === before.subject && after.body === before.body) return;
  const used = await findOwnMail(tx, projectId, before.id);
  if (!used?.confirms) return;
  const fault = await confirmationFault(projectId, { id: before.id, ...after });
  if (fault === null) return;
  throw invalid(
    "body",
    `cannot be used as it is, and the ${used.place} "${used.name}" asks people to confirm with it: it ${fault}`,
  );
}

/**
 * Changes the given fields and keeps the previous version. If nothing changes, no new version is made.
 * Throws NOT_FOUND, VALIDATION_ERROR (also when people could no longer confirm with it), CONFLICT when it was changed
 * since `basedOn`. Needs editor.
 */
export async function updateTemplate(
  ctx: Context,
  id: string,
  input: TemplateUpdate,
): Promise<Template> {
  requireRole(ctx, "editor");
  const content = designedContent(input);
  await checkContent(ctx.projectId, { subject: input.subject, html: content.body });
  return ctx.db.transaction(async (tx) => {
    const before = await findTemplateRow(tx, ctx, id, "update");
    refuseStale(input.basedOn, before.updatedAt);
    const after = {
      name: input.name ?? before.name,
      subject: input.subject ?? before.subject,
      body: content.body ?? before.body,
      design: designAfter(before, content),
    };
    if (
      after.name === before.name &&
      after.subject === before.subject &&
      after.body === before.body &&
      JSON.stringify(after.design) === JSON.stringify(before.design)
    ) {
      return toTemplate(before);
    }
    await refuseWithoutLink(tx, ctx, before, after);
    await tx.insert(templateVersions).values({
      templateId: before.id,
      version: before.version,
      name: before.name,
      subject: before.subject,
      body: before.body,
      design: before.design,
      createdAt: before.updatedAt,
    });
    const [row] = await tx
      .update(templates)
      .set({ ...after, version: before.version + 1, updatedAt: laterThan(templates.updatedAt) })
      .where(eq(templates.id, before.id))
      .returning();
    if (!row) throw notFound();
    const changed = toTemplate(row);
    await audit(tx, ctx, "update.template", changed.id, { version: changed.version });
    return changed;
  });
}

/**
 * Rendered with the names of the fields for error messages. Throws VALIDATION_ERROR naming `subject` or `body`.
 */
export async function renderContent(
  ctx: Context,
  { subject, body }: { subject: string; body: string },
  variables: Record<string, unknown>,
): Promise<RenderedTemplate> {
  const parts = await Promise.allSettled([
    renderOne(ctx.projectId, { source: subject, kind: "subject", path: "subject" }, variables),
    renderOne(ctx.projectId, { source: body, kind: "html", path: "body" }, variables),
  ]);
  const [inSubject, inBody] = parts;
  if (inSubject.status === "rejected") throw inSubject.reason;
  if (inBody.status === "rejected") throw inBody.reason;
  const { rendered: html, text } = inBody.value;
  return { subject: inSubject.value.rendered, html, text };
}

/** What a template can read of a person about whom only `data` is known. */
export const sampleVariables = (data: Record<string, unknown>) =>
  contactVariables({ email: "", firstName: "", lastName: "", tags: [], data: {} }, data);

/** What a person with `data` would get. Throws NOT_FOUND, and VALIDATION_ERROR beyond a limit. */
export async function previewTemplate(
  ctx: Context,
  id: string,
  data: Record<string, unknown>,
): Promise<RenderedTemplate> {
  requireRole(ctx, "viewer");
  return renderContent(ctx, await findTemplateRow(ctx.db, ctx, id), sampleVariables(data));
}

/**
 * The same for content that is not stored. If it does not parse, throws VALIDATION_ERROR with the field, line and
 * column.
 */
export async function previewContent(ctx: Context, input: PreviewInput): Promise<RenderedTemplate> {
  requireRole(ctx, "viewer");
  return renderContent(ctx, input, sampleVariables(input.data ?? {}));
}
