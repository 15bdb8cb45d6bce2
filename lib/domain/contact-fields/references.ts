import { and, asc, eq, inArray, or, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Executor, Transaction } from "@/db/client";
import {
  campaigns,
  contactImportRows,
  contactImports,
  forms,
  savedBlocks,
  segments,
  templates,
} from "@/db/schema";
import type { BulkAction } from "@/db/enums";
import type { FormQuestion } from "@/db/schema/forms";
import type { SegmentFilter, SegmentScalar } from "@/lib/domain/segments/schema";
import type { Context } from "@/lib/ground/context";
import { isAppError } from "@/lib/ground/errors";
import { encodeId, type IdKind } from "@/lib/ground/ids/ids";
import { slowRead } from "@/lib/ground/slow-reads";
import { findPlaceholders } from "@/lib/mail/content/rendering";
import { renderDesign } from "@/lib/mail/design/render";
import { blocks, defaultTheme } from "@/lib/mail/design/schema";
import { isOfField } from "./terms";

/** How many of each are named. */
const mostNamed = 100;
const longestLookSeconds = 30;

/** What refers to a key or a tag. */
export interface Subject {
  isField: boolean;
  name: string;
}
export const subjectOf = ({ action, name }: { action: BulkAction; name: string }): Subject => ({
  isField: isOfField(action),
  name,
});

const underKey = (field: string, name: string) =>
  field === `data.${name}` || field.startsWith(`data.${name}.`);

/** Whether a filter asks for the key or the tag. */
export function filterNames(filter: SegmentFilter, subject: Subject): boolean {
  const group = filter.and ?? filter.or;
  if (group) return group.some((part) => filterNames(part, subject));
  if (subject.isField) return underKey(filter.field ?? "", subject.name);
  return filter.field === "tags" && [filter.value].flat().includes(subject.name);
}

/** The filter with another name for the key or the tag. */
export function renamedFilter(
  filter: SegmentFilter,
  subject: Subject,
  newName: string,
): SegmentFilter {
  const { and: all, or: any } = filter;
  const parts = (group: readonly SegmentFilter[]) =>
    group.map((part) => renamedFilter(part, subject, newName));
  if (all) return { ...filter, and: parts(all) };
  if (any) return { ...filter, or: parts(any) };
  if (!filterNames(filter, subject)) return filter;
  if (subject.isField) {
    const rest = (filter.field ?? "").slice(`data.${subject.name}`.length);
    return { ...filter, field: `data.${newName}${rest}` };
  }
  const renamed = (value: SegmentScalar) => (value === subject.name ? newName : value);
  const { value } = filter;
  return {
    ...filter,
    value: Array.isArray(value) ? [...new Set(value.map(renamed))] : renamed(value ?? ""),
  };
}

/** A form's questions with another key; one that asks for both asks once. */
export function renamedQuestions(
  questions: readonly FormQuestion[],
  name: string,
  newName: string,
): FormQuestion[] {
  const [old, fresh] = [`data.${name}`, `data.${newName}`];
  const asksBoth = questions.some(({ key }) => key === fresh);
  return questions.flatMap((question) =>
    question.key !== old ? [question] : asksBoth ? [] : [{ ...question, key: fresh }],
  );
}

/** The project's segments whose filters name it; `lock` them to change them. */
export async function segmentsNaming(
  executor: Executor,
  projectId: string,
  subject: Subject,
  lock = false,
): Promise<{ id: string; name: string; filter: SegmentFilter }[]> {
  const query = executor
    .select({
      id: segments.id,
      name: segments.name,
      filter: sql<SegmentFilter>`${segments.filter}`,
    })
    .from(segments)
    .where(eq(segments.projectId, projectId))
    .orderBy(asc(segments.id));
  const rows = await (lock ? query.for("update") : query);
  return rows.filter(({ filter }) => filterNames(filter, subject));
}

/** The project's forms that ask for the key. */
export async function formsNaming(
  executor: Executor,
  projectId: string,
  subject: Subject,
  lock = false,
): Promise<{ id: string; name: string; questions: FormQuestion[] }[]> {
  if (!subject.isField) return [];
  const query = executor
    .select({ id: forms.id, name: forms.name, questions: forms.questions })
    .from(forms)
    .where(eq(forms.projectId, projectId))
    .orderBy(asc(forms.id));
  const rows = await (lock ? query.for("update") : query);
  return rows.filter(({ questions }) =>
    questions.some(({ key }) => key === `data.${subject.name}`),
  );
}

const asked = ["email", "firstName", "lastName", "tags"];

/** Placeholders of a source that name the key, or conditions that name the tag, as they are written. */
async function placeholdersNaming(
  projectId: string,
  sources: readonly string[],
  { isField, name }: Subject,
): Promise<string[]> {
  const written = new Set<string>();
  for (const source of sources) {
    if (!source.includes(name)) continue;
    let all;
    try {
      all = await findPlaceholders(projectId, { source, kind: "html", path: "body" });
    } catch (error) {
      // What does not parse is sent to nobody.
      if (isAppError(error)) continue;
      throw error;
    }
    for (const { path, written: text } of all) {
      const [first, second] = path;
      const names = isField
        ? (first === name && !asked.includes(name)) || (first === "data" && second === name)
        : (first === "tags" || second === "tags") && text.includes(name);
      if (names) written.add(text);
    }
  }
  return [...written].slice(0, 20);
}

const mentions = (columns: readonly (PgColumn | SQL)[], name: string) =>
  or(...columns.map((column) => sql`strpos(${column}, ${name}) > 0`));

type Asking = Pick<Context, "db" | "projectId">;

/** A look through all of a project's mail, or all rows of an import. */
const lookThrough = <Row>(asking: Asking, look: (tx: Transaction) => Promise<Row[]>) =>
  slowRead(asking, longestLookSeconds, look);

async function templatesNaming(asking: Asking, subject: Subject) {
  const { id, name, subject: line, body } = templates;
  const { db, projectId } = asking;
  const rows = await lookThrough(asking, (tx) =>
    tx
      .select({ id, name })
      .from(templates)
      .where(and(eq(templates.projectId, projectId), mentions([line, body], subject.name)))
      .orderBy(asc(id))
      .limit(mostNamed),
  );
  return withPlaceholders("template", projectId, subject, rows, async (row) => {
    const [content] = await db.select({ line, body }).from(templates).where(eq(id, row.id));
    return content ? [content.line, content.body] : [];
  });
}

/** What saved blocks become in a mail; empty for those of a newer version. */
function htmlOf(saved: readonly object[]): string {
  const { data } = blocks.safeParse(saved);
  return data ? renderDesign({ type: "doc", attrs: { theme: defaultTheme }, content: data }) : "";
}

async function savedBlocksNaming(asking: Asking, subject: Subject) {
  const { id, name, content } = savedBlocks;
  const { db, projectId } = asking;
  const rows = await lookThrough(asking, (tx) =>
    tx
      .select({ id, name })
      .from(savedBlocks)
      .where(
        and(eq(savedBlocks.projectId, projectId), mentions([sql`${content}::text`], subject.name)),
      )
      .orderBy(asc(id)),
  );
  return withPlaceholders("savedBlock", projectId, subject, rows, async (row) => {
    const [saved] = await db.select({ content }).from(savedBlocks).where(eq(id, row.id));
    return saved ? [htmlOf(saved.content)] : [];
  });
}

async function campaignsNaming(asking: Asking, subject: Subject) {
  const { id, name, subject: line, previewText, html, text, abTest } = campaigns;
  const { db, projectId } = asking;
  const written = [
    ...[line, previewText, sql`coalesce(${html}, '')`, sql`coalesce(${text}, '')`],
    sql`coalesce(${abTest}::text, '')`,
  ];
  const rows = await lookThrough(asking, (tx) =>
    tx
      .select({ id, name })
      .from(campaigns)
      .where(
        and(
          eq(campaigns.projectId, projectId),
          inArray(campaigns.status, ["DRAFT", "SCHEDULED", "SENDING", "PAUSED"]),
          mentions(written, subject.name),
        ),
      )
      .orderBy(asc(id))
      .limit(mostNamed),
  );
  return withPlaceholders("campaign", projectId, subject, rows, async (row) => {
    const [content] = await db
      .select({ line, previewText, html, text, abTest })
      .from(campaigns)
      .where(eq(id, row.id));
    if (!content) return [];
    const variants = content.abTest?.variants ?? [];
    return [
      ...[content.line, content.previewText, content.html ?? "", content.text ?? ""],
      ...variants.flatMap((one) => [one.subject, one.previewText ?? "", one.html ?? ""]),
    ];
  });
}

/** Content is read one by one: each may be of some MB, and nobody needs all of it at once. */
async function withPlaceholders(
  kind: IdKind,
  projectId: string,
  subject: Subject,
  rows: readonly { id: string; name: string }[],
  readSources: (row: { id: string }) => Promise<string[]>,
) {
  const naming = [];
  for (const row of rows) {
    const sources = await readSources(row);
    const placeholders = await placeholdersNaming(projectId, sources, subject);
    if (placeholders.length === 0) continue;
    naming.push({ id: encodeId(kind, row.id), name: row.name, placeholders });
  }
  return naming;
}

/** Imports under way that bring the key, or the tag. */
async function importsNaming(asking: Asking, { isField, name }: Subject) {
  const brings = isField
    ? sql`${contactImportRows.data} ? ${name}::text`
    : sql`${name} = any(${contactImportRows.tags})`;
  const rows = await lookThrough(asking, (tx) =>
    tx
      .select({ id: contactImports.id, name: contactImports.filename })
      .from(contactImports)
      .where(
        and(
          eq(contactImports.projectId, asking.projectId),
          inArray(contactImports.status, ["STAGING", "PENDING", "RUNNING"]),
          sql`exists (select from ${contactImportRows}
            where ${contactImportRows.importId} = ${contactImports.id} and ${brings})`,
        ),
      )
      .orderBy(asc(contactImports.id)),
  );
  return rows.map(({ id, name }) => ({ id: encodeId("import", id), name }));
}

/** Everything in the project that refers to a key or a tag, for people to read. See `tookTooLong`. */
export async function findReferences(asking: Asking, subject: Subject) {
  const { db, projectId } = asking;
  const named = (kind: IdKind, rows: readonly { id: string; name: string }[]) =>
    rows.slice(0, mostNamed).map(({ id, name }) => ({ id: encodeId(kind, id), name }));
  return {
    segments: named("segment", await segmentsNaming(db, projectId, subject)),
    forms: named("form", await formsNaming(db, projectId, subject)),
    templates: await templatesNaming(asking, subject),
    savedBlocks: await savedBlocksNaming(asking, subject),
    campaigns: await campaignsNaming(asking, subject),
    imports: await importsNaming(asking, subject),
  };
}
