import { z } from "zod";
import { importStatuses } from "@/db/enums";
import { tags } from "@/lib/domain/contacts/schema";
import { otherExportColumns } from "./other-exports-schema";

const knownColumns: Record<string, string> = {
  email: "email",
  emailaddress: "email",
  mail: "email",
  firstname: "firstName",
  givenname: "firstName",
  lastname: "lastName",
  surname: "lastName",
  familyname: "lastName",
  tags: "tags",
  subscribed: "subscribed",
  unsubscribed: "unsubscribed",
  // Columns that an export writes beside the contact's own fields are not imported.
  id: "skip",
  createdat: "skip",
  updatedat: "skip",
};

/** A heading as a key that placeholders can name: letters, digits and underscores. */
function readableKey(name: string): string {
  const words = name.normalize("NFC").match(/[\p{L}\p{N}_]+/gu) ?? ["column"];
  const key = words.join("_");
  return /^\p{N}/u.test(key) ? `_${key}` : key;
}

/**
 * What a column of this name becomes by default; a form of `importQuery.columns`.
 * `asTheyAre`: other names are already keys, whatever characters they contain.
 */
export function columnTarget(name: string, { asTheyAre = false } = {}): string {
  if (name === "") return "skip";
  const heading = name.toLowerCase().replace(/[\s_-]/g, "");
  const field = Object.hasOwn(knownColumns, heading) ? knownColumns[heading] : undefined;
  return field ?? `data.${asTheyAre ? name : readableKey(name)}`;
}

/** Whether a file is our own export. */
export const isOwnExport = (header: readonly string[]): boolean =>
  header.slice(0, 3).join() === "email,subscribed,createdAt";

/** What each column of a file becomes by default. Our own export names its columns by the keys. */
export function columnTargets(header: readonly string[]): string[] {
  const asTheyAre = isOwnExport(header);
  const others = new Map(Object.entries(otherExportColumns(header)));
  return header.map((name) => others.get(name) ?? columnTarget(name, { asTheyAre }));
}

/** Whether several columns may say it: one of them is enough to leave somebody unsubscribed. */
export const mayRepeat = (target: string): boolean =>
  target === "skip" || target === "unsubscribed";

/**
 * The separator of a file with this first line: a comma, or the semicolon or tab that spreadsheets in some
 * countries write. Separators inside quotes do not count.
 */
export function separatorOf(firstLine: string): "," | ";" | "\t" {
  const bare = firstLine.replace(/"[^"]*"/g, "");
  const count = (separator: string) => bare.split(separator).length;
  return ([",", ";", "\t"] as const).reduce((best, next) =>
    count(next) > count(best) ? next : best,
  );
}

export const importQuery = z.strictObject({
  columns: z.string().max(20_000).optional().meta({
    description:
      "What each column becomes, separated by commas: email, firstName, lastName, tags, subscribed, unsubscribed, data.<key>, attributes (a JSON object, whose members become custom data) or skip. `data.<key>:number`, `:boolean`, `:date` or `:text` says how its cells are stored; without it, a column whose cells are all numbers, booleans or ISO dates is stored as such. If absent, the first line decides, with keys of letters, digits and underscores.",
    example: "email,firstName,data.plan,skip",
  }),
  filename: z.string().max(255).optional(),
  listId: z.string().max(100).optional().meta({
    description:
      "The list that everybody in the file joins, under its rules: where it asks for confirmation, each of them is asked. Who left the list or everything does not join.",
  }),
  tags: z
    .string()
    .max(2_000)
    .transform((text) => [
      ...new Set(
        text
          .split(",")
          .map((tag) => tag.trim())
          .filter(Boolean),
      ),
    ])
    .pipe(tags)
    .optional()
    .meta({
      description:
        "Put on everybody in the file, separated by commas, beside the tags they have; unlike a column of tags, which replaces them.",
      example: "fair-2026,press",
    }),
  subscribed: z.enum(["true", "false"]).optional().meta({
    description:
      "Whether new contacts are subscribed of whom no column says it. `false` also unsubscribes those who exist. Default: true, but false for a file whose name begins with `unsubscribed_`, `nonsubscribed_` or `cleaned_`, as Mailchimp names them.",
  }),
});

export const contactImport = z
  .object({
    id: z.string().meta({ example: "imp_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    filename: z.string(),
    status: z.enum(importStatuses),
    total: z.int().meta({ description: "Rows in the file, without the header." }),
    processed: z.int().meta({ description: "Rows imported or refused so far." }),
    created: z.int(),
    updated: z.int(),
    refused: z.int(),
    duplicates: z.int().meta({
      description: "Rows whose address appears again further down: the last one counts.",
    }),
    keptUnsubscribed: z.int().meta({
      description:
        "Rows that call people subscribed who had unsubscribed: they stay unsubscribed, and the rest of the row is imported.",
    }),
    tags: z.array(z.string()).meta({ description: "Put on everybody in the file." }),
    listId: z.string().nullable().meta({ description: "The list that they join." }),
    joined: z.int().meta({ description: "Who joined it; members before are not counted." }),
    notJoined: z.int().meta({
      description: "Who did not, since they left the list or everything before.",
    }),
    failureReason: z.string().nullable(),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "ContactImport" });
export type ContactImport = z.infer<typeof contactImport>;

export const refusedRow = z
  .object({
    line: z.int().meta({ description: "Line of the file; its header is line 1." }),
    email: z.string(),
    reason: z.string(),
  })
  .meta({ id: "RefusedRow" });
export type RefusedRow = z.infer<typeof refusedRow>;

export const contactImportDetail = contactImport
  .extend({
    refusedRows: z
      .array(refusedRow)
      .meta({ description: "The first 100; /refused has all of them." }),
  })
  .meta({ id: "ContactImportDetail" });
export type ContactImportDetail = z.infer<typeof contactImportDetail>;

export const importAccepted = z.object({ id: z.string() }).meta({ id: "ImportAccepted" });
export type ImportAccepted = z.infer<typeof importAccepted>;
