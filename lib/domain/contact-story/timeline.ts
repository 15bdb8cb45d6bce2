import { executePrepared } from "@/db/client";
import type { ChangedFields } from "@/db/schema/contact-story";
import type { ConsentOrigin, EmailStatus } from "@/db/enums";
import { toChange } from "@/lib/domain/contacts/consent-history";
import { recordsOf } from "@/lib/domain/contact-states/merged";
import { findContactRow } from "@/lib/domain/contacts/contacts";
import { toContact } from "@/lib/domain/contacts/rows";
import type { Contact } from "@/lib/domain/contacts/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { encodeId, type IdKind } from "@/lib/ground/ids/ids";
import { isoTime } from "@/lib/ground/iso-time";
import { notOfThisList, pageOf, readCursorParts, uuidForm } from "@/lib/ground/paging/cursor";
import type { Page } from "@/lib/ground/paging/schema";
import {
  timelineKinds,
  type ContactChange,
  type TimelineEntry,
  type TimelineKind,
  type TimelineQuery,
  type TimelineType,
} from "./schema";
import { timelineStatement, type TimelinePlace, type TimelineRow } from "./timeline-statement";
import { undoOf } from "./undoable";

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const link = /^-?\d{1,19}$/;

/** A time that exists: the 31st of February does not. */
function isTime(at: string): boolean {
  const time = instant.test(at) ? new Date(at) : null;
  if (time === null || Number.isNaN(time.getTime())) return false;
  return time.toISOString().startsWith(at.slice(0, 19));
}

const isLink = (text: string) =>
  link.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);

function readPlace(cursor: string | undefined): TimelinePlace | null {
  if (cursor === undefined) return null;
  const [at = "", type = "", ref = "", linkId = ""] = readCursorParts(cursor, 4);
  if (!isTime(at) || !uuidForm.test(ref) || !isLink(linkId) || type.length > 20) {
    throw notOfThisList();
  }
  return { at, type, ref, link: linkId };
}

/** Names as the statement gives them. */
interface Named {
  person: string | null;
  key: string | null;
  file: string | null;
  form: string | null;
}

interface ChangeDetails extends Named {
  before: ChangedFields;
  after: ChangedFields;
  origin: ConsentOrigin | null;
  actorId: string | null;
  importId: string | null;
  formId: string | null;
  undoes: string | null;
  undone: boolean;
  /** uuid: of a merged contact's changes, which are not undone, it is another. */
  contactId: string;
}

const wireId = (kind: IdKind, id: string | null) => (id === null ? null : encodeId(kind, id));
const thing = (kind: IdKind, id: string | null, name: string | null) =>
  id === null ? null : { id: encodeId(kind, id), name };

function toContactChange(contact: Contact, ref: string, details: ChangeDetails): ContactChange {
  const { before, after, origin, actorId, importId, formId, undoes, undone } = details;
  const actor = origin === "apiKey" ? "apiKey" : "user";
  const name = details.person ?? details.key ?? (details.file || null);
  return {
    id: encodeId("contactChange", ref),
    ...{ before, after, undone },
    by: origin && { type: origin, id: wireId(actor, actorId), name },
    import: thing("import", importId, details.file || null),
    form: thing("form", formId, details.form),
    undoes: wireId("contactChange", undoes),
    undoable:
      !undone &&
      encodeId("contact", details.contactId) === contact.id &&
      undoOf(contact, before, after) !== null,
  };
}

interface MergeDetails {
  email: string;
  origin: ConsentOrigin;
  actorId: string | null;
  person: string | null;
  key: string | null;
}

function toMerged(ref: string, details: MergeDetails): NonNullable<TimelineEntry["merged"]> {
  const { email, origin, actorId, person, key } = details;
  const id = wireId(origin === "apiKey" ? "apiKey" : "user", actorId);
  return {
    contact: { id: encodeId("contact", ref), email },
    by: { type: origin, id, name: person ?? key },
  };
}

interface MailDetails {
  subject: string;
  status: EmailStatus;
  campaignId: string | null;
  campaign: string | null;
  times: number | null;
  url: string | null;
}

type Part = Partial<Omit<TimelineEntry, "id" | "type" | "at">>;

function toMail(type: TimelineType, ref: string, details: MailDetails): Part {
  const { subject, status, campaignId, campaign, times, url } = details;
  const of = thing("campaign", campaignId, campaign);
  return {
    email: { id: encodeId("email", ref), subject, status, campaign: of },
    ...(times !== null && { times }),
    ...(type === "clicked" && { url }),
  };
}

function toSubscription(row: TimelineRow): Part {
  const details = row.details as unknown as Parameters<typeof toChange>[0]["change"] &
    Omit<Parameters<typeof toChange>[0], "change">;
  const { list, person, key, file, topic, text, form, ...change } = details;
  const until = change.until && new Date(change.until);
  const stored = { ...change, until, createdAt: new Date(row.at) };
  return {
    subscription: toChange({ change: stored, list, person, key, file, topic, text, form }),
  };
}

function partOf(contact: Contact, type: TimelineType, row: TimelineRow): Part {
  const { ref } = row;
  switch (type) {
    case "subscription":
      return toSubscription(row);
    case "changed":
      return { change: toContactChange(contact, ref, row.details as unknown as ChangeDetails) };
    case "signed_up": {
      const { formId, form, confirmedAt } = row.details as Record<string, string>;
      const at = isoTime(confirmedAt ?? null);
      return {
        form: { id: encodeId("form", formId ?? ""), name: form ?? null, confirmedAt: at },
      };
    }
    case "merged":
      return { merged: toMerged(ref, row.details as unknown as MergeDetails) };
    case "received": {
      const { subject = "" } = row.details as { subject?: string };
      return { received: { id: encodeId("inbound", ref), subject } };
    }
    default:
      return toMail(type, ref, row.details as unknown as MailDetails);
  }
}

function toEntry(contact: Contact, row: TimelineRow): TimelineEntry {
  const type = row.type as TimelineType;
  return {
    id: [row.type, row.ref.replaceAll("-", ""), ...(row.link === "0" ? [] : [row.link])].join("."),
    ...{ type, at: new Date(row.at).toISOString() },
    ...partOf(contact, type, row),
  };
}

/**
 * What happened with a contact (id or address), newest first: one statement, however much there is. Throws
 * NOT_FOUND. Needs viewer.
 */
export async function listTimeline(
  ctx: Context,
  id: string,
  { kinds, cursor, limit }: TimelineQuery,
): Promise<Page<TimelineEntry>> {
  requireRole(ctx, "viewer");
  const after = readPlace(cursor);
  const row = await findContactRow(ctx.db, ctx, id);
  const rows = await executePrepared<TimelineRow>(
    ctx.db,
    timelineStatement({
      ...{ projectId: ctx.projectId, ...(await recordsOf(ctx.db, row)), after },
      kinds: new Set((kinds?.split(",") as TimelineKind[] | undefined) ?? timelineKinds),
      limit: limit + 1,
    }),
  );
  const contact = toContact(row);
  return pageOf(
    [...rows],
    limit,
    (entry) => toEntry(contact, entry),
    (entry) => [entry.at, entry.type, entry.ref, entry.link],
  );
}
