import { and, eq, inArray } from "drizzle-orm";
import { domains } from "@/db/schema";
import { domainOf } from "@/lib/mail/address";
import { requireRole, type Context } from "@/lib/ground/context";
import { countryCode } from "@/lib/ground/geo/countries";
import { decodeId } from "@/lib/ground/ids/ids";
import type { Page } from "@/lib/ground/paging/schema";
import { getListFigures } from "./engagement";
import { getList, listLists, type List } from "./lists";
import { countMembers } from "./member-counts";
import type { ListQuery, MailingList, MailingListDetail } from "./schema";

function shared(list: List): Omit<MailingList, "members" | "senderVerified"> {
  const { number: _, contact: __, remindMessage: ___, ...rest } = list;
  return rest;
}

/** Which of the lists have a sender whose domain the project has verified. */
async function verifiedSenders(
  ctx: Context,
  of: readonly Pick<List, "fromEmail">[],
): Promise<(list: Pick<List, "fromEmail">) => boolean> {
  const names = [...new Set(of.map(({ fromEmail }) => domainOf(fromEmail)))];
  const rows = await ctx.db
    .select({ name: domains.name })
    .from(domains)
    .where(
      and(
        eq(domains.projectId, ctx.projectId),
        inArray(domains.name, names),
        eq(domains.status, "VERIFIED"),
      ),
    );
  const verified = new Set(rows.map(({ name }) => name));
  return ({ fromEmail }) => verified.has(domainOf(fromEmail));
}

/** Lists with how many members they have, newest first unless sorted otherwise. */
export async function listMailingLists(ctx: Context, query: ListQuery): Promise<Page<MailingList>> {
  requireRole(ctx, "viewer");
  const { data, ...page } = await listLists(ctx, query);
  const uuid = ({ id }: List) => decodeId("list", id) ?? "";
  const [members, isVerified] = await Promise.all([
    countMembers(ctx.db, data.map(uuid)),
    verifiedSenders(ctx, data),
  ]);
  return {
    ...page,
    data: data.map((list) => ({
      ...shared(list),
      senderVerified: isVerified(list),
      members: members(uuid(list)),
    })),
  };
}

/** One list with its fields, members by status and what became of campaigns to it. Throws NOT_FOUND. */
export async function getMailingList(ctx: Context, id: string): Promise<MailingListDetail> {
  const [list, figures] = await Promise.all([getList(ctx, id), getListFigures(ctx, id)]);
  const { fields, members, contact, ...rest } = list;
  const isVerified = await verifiedSenders(ctx, [list]);
  const country = contact.country_id ? countryCode(contact.country_id) : null;
  return {
    ...shared({ ...rest, contact }),
    senderVerified: isVerified(list),
    contact: country ? { ...contact, country_id: country } : contact,
    fields: fields.map(({ tag, label, type, defaultValue, options, required, visible }) => ({
      ...{ tag, label, type, defaultValue, options, required, visible },
    })),
    members,
    figures,
  };
}
