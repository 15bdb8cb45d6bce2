import type { Database } from "@/db/client";
import { listFields } from "@/db/schema";
import { eq } from "drizzle-orm";
import type { CampaignMail } from "@/lib/domain/campaigns/mail";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { isAppError } from "@/lib/ground/errors";
import { nearestName } from "@/lib/ground/nearest-name";
import type { TemplateKind } from "@/lib/mail/content/liquid";
import type { Placeholder } from "@/lib/mail/content/placeholders";
import { findPlaceholders } from "@/lib/mail/content/rendering";
import { amount } from "@/lib/ground/amount";
import { t } from "@/lib/ground/texts/t";
import { advisory } from "./findings";
import type { AudienceFields } from "./people";
import type { AdvisoryFinding, PreflightPlace } from "./schema";

/** Of a campaign: what it asks of people. */
export interface UsedPlaceholder {
  name: string;
  path: string[];
  uses: (Placeholder & { place: PreflightPlace })[];
}

const mostNames = 40;
/** What every campaign's mail has, and what every loop provides. */
const always = new Set([
  ...["unsubscribeUrl", "preferencesUrl", "viewUrl", "postalAddress", "mailReason"],
  ...["email", "EMAIL"],
  ...["forloop", "tablerowloop", "data", "now", "today"],
]);
const ofContacts = [
  ...["email", "firstName", "lastName", "tags", "EMAIL", "FIRST_NAME", "LAST_NAME"],
  ...["unsubscribeUrl", "preferencesUrl", "viewUrl", "postalAddress", "mailReason"],
];
/** Liquid's own properties of texts and lists. */
const properties = new Set(["size", "first", "last"]);

/** The placeholders of all variants, each name once, except for those that every mail has. */
export async function usedPlaceholders(
  projectId: string,
  mails: readonly CampaignMail[],
): Promise<UsedPlaceholder[]> {
  const byName = new Map<string, UsedPlaceholder>();
  const seen = new Set<string>();
  for (const { content, paths } of mails) {
    const parts: [string | null, TemplateKind, string][] = [
      [content.subject, "subject", paths.subject],
      [content.previewText, "subject", paths.previewText],
      [content.html, "html", paths.body],
      [content.text, "text", paths.text],
    ];
    for (const [source, kind, path] of parts) {
      if (!source || seen.has(path)) continue;
      seen.add(path);
      for (const placeholder of await read(projectId, { source, kind, path })) {
        const ownPath = properties.has(placeholder.path.at(-1) ?? "")
          ? placeholder.path.slice(0, -1)
          : placeholder.path;
        const name = ownPath.join(".");
        if (always.has(name) || ownPath.length === 0) continue;
        const used = byName.get(name) ?? { name, path: ownPath, uses: [] };
        const { written, line, column } = placeholder;
        used.uses.push({ ...placeholder, place: { path, excerpt: written, line, column } });
        byName.set(name, used);
      }
    }
  }
  return [...byName.values()].slice(0, mostNames);
}

/** Templates that do not parse are reported by another finding. */
async function read(
  projectId: string,
  template: { source: string; kind: TemplateKind; path: string },
): Promise<Placeholder[]> {
  try {
    return await findPlaceholders(projectId, template);
  } catch (error) {
    if (isAppError(error)) return [];
    throw error;
  }
}

/** Names that templates of this campaign can use. */
async function knownNames(
  db: Database,
  { listId }: Pick<CampaignRow, "listId">,
  { keys }: AudienceFields,
): Promise<string[]> {
  const tags =
    listId === null
      ? []
      : await db
          .select({ tag: listFields.tag })
          .from(listFields)
          .where(eq(listFields.listId, listId));
  return [...new Set([...ofContacts, ...tags.map(({ tag }) => tag), ...keys])];
}

/** Other products write `{{ contact.firstName }}`; here the first part is left out. */
function meant({ name, path }: UsedPlaceholder, fieldNames: readonly string[]): string | null {
  const last = path.at(-1) ?? "";
  const others = fieldNames.filter((candidate) => candidate !== name);
  if (path.length > 1 && path[0] !== "data" && others.includes(last)) return last;
  const nearest = nearestName(path[0] === "data" ? path.slice(1).join(".") : last, others);
  return nearest && path[0] === "data" && !ofContacts.includes(nearest)
    ? `data.${nearest}`
    : nearest;
}

function withDefault(written: string, replacement: string): string {
  const end = written.endsWith("-}}") ? "-}}" : "}}";
  return `${written.slice(0, -end.length).trimEnd()} | default: '${replacement}' ${end}`;
}
const fallbackOf = (name: string) => (/^first_?name$/i.test(name) ? "there" : "…");

/** Names for which nobody in the audience has a value, and those for which some people have none. */
export async function judgePlaceholders(
  db: Database,
  row: Pick<CampaignRow, "listId">,
  used: readonly UsedPlaceholder[],
  fields: AudienceFields,
): Promise<AdvisoryFinding[]> {
  const { people, paths } = fields;
  if (people === 0) return [];
  const names = await knownNames(db, row, fields);
  const unknown: AdvisoryFinding[] = [];
  const missing: { finding: AdvisoryFinding; lacking: number }[] = [];
  for (const [index, placeholder] of used.entries()) {
    const { name, uses } = placeholder;
    const { having = 0, lacking: examples = [] } = paths[index] ?? {};
    const lacking = people - having;
    if (having === 0) {
      const nearest = meant(placeholder, names);
      unknown.push(
        advisory(
          "placeholder_unknown",
          nearest
            ? t(
                "“{name}” prints nothing: it is not known for {people, plural, one {the one person} other {any of the # people}} looked at. Did you mean {nearest}?",
                { name, people, nearest },
              )
            : t(
                "“{name}” prints nothing: it is not known for {people, plural, one {the one person} other {any of the # people}} looked at.",
                { name, people },
              ),
          {
            places: uses.map(({ place }) => place),
            count: people,
            suggestion: nearest && `{{ ${nearest} }}`,
          },
        ),
      );
      continue;
    }
    const bare = uses.filter((use) => use.bare);
    const [first] = bare;
    if (lacking === 0 || !first) continue;
    const finding = advisory(
      "placeholder_missing",
      t(
        "“{name}” is not known for {lacking} of the {people, plural, one {# person} other {# people}} looked at, who would see nothing in its place. Give it a default.",
        { name, lacking: amount(lacking), people },
      ),
      {
        places: bare.map(({ place }) => place),
        count: lacking,
        examples,
        suggestion: withDefault(first.written, fallbackOf(name)),
      },
    );
    missing.push({ finding, lacking });
  }
  missing.sort((left, right) => right.lacking - left.lacking);
  return [...unknown, ...missing.map(({ finding }) => finding)];
}
