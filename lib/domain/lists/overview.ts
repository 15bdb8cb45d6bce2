import { requireRole, type Context } from "@/lib/ground/context";
import { countryCode } from "@/lib/ground/geo/countries";
import { decodeId } from "@/lib/ground/ids/ids";
import type { Page } from "@/lib/ground/paging/schema";
import { getListFigures } from "./engagement";
import { countMembers, getList, listLists, type List } from "./lists";
import type { ListQuery, MailingList, MailingListDetail } from "./schema";

function shared(list: List): Omit<MailingList, "members"> {
  const { number: _, contact: __, remindMessage: ___, ...rest } = list;
  return rest;
}

/** Lists with how many members they have, newest first. */
export async function listMailingLists(ctx: Context, query: ListQuery): Promise<Page<MailingList>> {
  requireRole(ctx, "viewer");
  const { data, ...page } = await listLists(ctx, query);
  const uuid = ({ id }: List) => decodeId("list", id) ?? "";
  const members = await countMembers(ctx.db, data.map(uuid));
  return { ...page, data: data.map((list) => ({ ...shared(list), members: members(uuid(list)) })) };
}

/** One list with its fields, members by status and what became of campaigns to it. Throws NOT_FOUND. */
export async function getMailingList(ctx: Context, id: string): Promise<MailingListDetail> {
  const [list, figures] = await Promise.all([getList(ctx, id), getListFigures(ctx, id)]);
  const { fields, members, contact, ...rest } = list;
  const country = contact.country_id ? countryCode(contact.country_id) : null;
  return {
    ...shared({ ...rest, contact }),
    contact: country ? { ...contact, country_id: country } : contact,
    fields: fields.map(({ tag, label, type, defaultValue, options, required, visible }) => ({
      ...{ tag, label, type, defaultValue, options, required, visible },
    })),
    members,
    figures,
  };
}
