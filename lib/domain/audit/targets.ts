import { sql, type SQL } from "drizzle-orm";
import {
  apiKeys,
  assistants,
  campaigns,
  contactImports,
  contacts,
  domains,
  emails,
  files,
  lists,
  segments,
  sendingConnections,
  subscribers,
  templates,
  users,
  webhookDeliveries,
  webhooks,
} from "@/db/schema";
import { byIds } from "@/lib/ground/by-id";
import type { Context } from "@/lib/ground/context";
import { decodeId, encodeId, idPrefixes, type IdKind } from "@/lib/ground/ids/ids";

export interface NamedTarget {
  name: string | null;
  /** Wire id of the thing whose page shows it. */
  pageId: string | null;
}

interface Row extends Record<string, unknown> {
  id: string;
  name: string | null;
  page: string | null;
}

/**
 * How a kind of target is read: its name, and the uuid of the thing whose page shows it when that is a different
 * one.
 */
interface Reading {
  from: (uuids: readonly string[], projectId: string) => SQL;
  /** The kind of thing whose page shows it; absent when it has no page. */
  page?: IdKind;
}

const named = (
  table: typeof lists | typeof segments | typeof campaigns | typeof templates | typeof domains,
  page: IdKind,
): Reading => ({
  from: (uuids, projectId) => sql`
    select ${table.id} as id, ${table.name} as name, ${table.id} as page from ${table}
    where ${byIds(table, projectId, uuids)}`,
  page,
});

const readings: Partial<Record<IdKind, Reading>> = {
  list: named(lists, "list"),
  segment: named(segments, "segment"),
  campaign: named(campaigns, "campaign"),
  template: named(templates, "template"),
  domain: named(domains, "domain"),
  contact: {
    from: (uuids, projectId) => sql`
      select ${contacts.id} as id, ${contacts.email} as name, ${contacts.id} as page from ${contacts}
      where ${byIds(contacts, projectId, uuids)}`,
    page: "contact",
  },
  subscriber: {
    from: (uuids, projectId) => sql`
      select ${subscribers.id} as id, ${contacts.email} as name, ${contacts.id} as page
      from ${subscribers} join ${contacts} on ${contacts.id} = ${subscribers.contactId}
      where ${byIds(subscribers, projectId, uuids)}`,
    page: "contact",
  },
  email: {
    from: (uuids, projectId) => sql`
      select ${emails.id} as id, ${emails.recipient} as name, ${emails.id} as page from ${emails}
      where ${byIds(emails, projectId, uuids)}`,
    page: "email",
  },
  webhook: {
    from: (uuids, projectId) => sql`
      select ${webhooks.id} as id, ${webhooks.url} as name, ${webhooks.id} as page from ${webhooks}
      where ${byIds(webhooks, projectId, uuids)}`,
    page: "webhook",
  },
  delivery: {
    from: (uuids, projectId) => sql`
      select ${webhookDeliveries.id} as id, ${webhooks.url} as name, ${webhooks.id} as page
      from ${webhookDeliveries} join ${webhooks} on ${webhooks.id} = ${webhookDeliveries.webhookId}
      where ${byIds(webhookDeliveries, projectId, uuids)}`,
    page: "webhook",
  },
  import: {
    from: (uuids, projectId) => sql`
      select ${contactImports.id} as id, nullif(${contactImports.filename}, '') as name,
        ${contactImports.id} as page
      from ${contactImports}
      where ${byIds(contactImports, projectId, uuids)}`,
    page: "import",
  },
  apiKey: {
    from: (uuids, projectId) => sql`
      select ${apiKeys.id} as id, ${apiKeys.name} as name, null::uuid as page from ${apiKeys}
      where ${byIds(apiKeys, projectId, uuids)}`,
  },
  assistant: {
    from: (uuids, projectId) => sql`
      select ${assistants.id} as id, ${assistants.name} as name, null::uuid as page from ${assistants}
      where ${byIds(assistants, projectId, uuids)}`,
  },
  connection: {
    from: (uuids, projectId) => sql`
      select ${sendingConnections.id} as id, ${sendingConnections.name} as name, null::uuid as page
      from ${sendingConnections}
      where ${byIds(sendingConnections, projectId, uuids)}`,
  },
  file: {
    from: (uuids, projectId) => sql`
      select ${files.id} as id, ${files.path} as name, null::uuid as page from ${files}
      where ${byIds(files, projectId, uuids)}`,
  },
  // The log itself proves that the person has something to do with the project.
  user: {
    from: (uuids) => sql`
      select ${users.id} as id, ${users.email} as name, null::uuid as page from ${users}
      where ${users.id} = any(${sql.param(uuids)}::uuid[])`,
  },
};

const kindOf = new Map(
  Object.entries(idPrefixes).map(([kind, prefix]) => [prefix as string, kind as IdKind]),
);

/** Names and pages of the targets of audit entries, by wire id; deleted targets are missing. */
export async function readTargets(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, NamedTarget>> {
  const byKind = new Map<IdKind, string[]>();
  for (const id of new Set(ids)) {
    const kind = kindOf.get(id.slice(0, id.lastIndexOf("_")));
    const uuid = kind && decodeId(kind, id);
    if (kind && uuid) byKind.set(kind, [...(byKind.get(kind) ?? []), uuid]);
  }
  const targets = new Map<string, NamedTarget>();
  await Promise.all(
    [...byKind].map(async ([kind, uuids]) => {
      const reading = readings[kind];
      if (!reading) return;
      for (const row of await ctx.db.execute<Row>(reading.from(uuids, ctx.projectId))) {
        const pageId = reading.page && row.page ? encodeId(reading.page, row.page) : null;
        targets.set(encodeId(kind, row.id), { name: row.name, pageId });
      }
    }),
  );
  return targets;
}
