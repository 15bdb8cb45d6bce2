import { and, eq, gt, sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { errorCode } from "@/db/errors";
import { contacts, personRequests } from "@/db/schema";
import { findForgotten, isAddressBlocked, isContactBlocked } from "@/lib/domain/contacts/blocked";
import { lockLinkHolder, type LinkHolder } from "@/lib/domain/opt-outs/link-holder";
import { isRecentMove } from "@/lib/domain/opt-outs/preferences";
import { byId } from "@/lib/ground/by-id";
import { languageIn } from "@/lib/ground/texts/texts";
import { newId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { foldAddress } from "@/lib/mail/address";
import { mailPerson } from "./mails";
import type { AskOutcome, PersonRequestInput } from "./schema";

/** The most requests one person may make in a day: a shared link must not become a way to flood mailboxes. */
const mostPerDay = 5;

/** The person, whom the caller has locked, and whether they may ask for it now. */
async function findAsker(tx: Transaction, { projectId, contactId }: LinkHolder) {
  const [row] = await tx
    .select({ email: contacts.email, data: contacts.data })
    .from(contacts)
    .where(byId(contacts, projectId, contactId));
  if (!row) return null;
  const [{ lately = 0, moved = false } = {}] = await tx
    .select({
      lately: sql<number>`(count(*) filter (
        where ${personRequests.createdAt} > app_now() - interval '1 day'))::int`,
      moved: sql<boolean>`coalesce(bool_or(${isRecentMove}), false)`,
    })
    .from(personRequests)
    .where(
      and(
        eq(personRequests.contactId, contactId),
        gt(personRequests.createdAt, sql`app_now() - interval '60 days'`),
      ),
    );
  return { ...row, lately, moved, blocked: await isContactBlocked(tx, contactId) };
}

/** Whether an address is suppressed, or would be again if it came back. */
export async function wouldBeBlocked(
  reader: Parameters<typeof isAddressBlocked>[0],
  projectId: string,
  email: string,
): Promise<boolean> {
  const address = { projectId, email };
  if (await isAddressBlocked(reader, address)) return true;
  return Boolean((await findForgotten(reader, address))?.suppressed);
}

type Asked =
  | { outcome: Exclude<AskOutcome, "asked"> | null }
  | {
      outcome: "asked";
      id: string;
      projectId: string;
      to: string;
      person: string | null;
    };

async function keepRequest(
  tx: Transaction,
  token: string,
  wanted: PersonRequestInput,
): Promise<Asked> {
  const holder = await lockLinkHolder(tx, token);
  if (holder === null || holder === "deleted") return { outcome: holder };
  const asker = await findAsker(tx, holder);
  if (!asker) return { outcome: "deleted" };
  const isMove = wanted.action === "address";
  // Somebody who changed the address with the link in a forwarded mail must not get the data too.
  if (asker.blocked || (asker.moved && !isMove)) return { outcome: "refused" };
  if (asker.lately >= mostPerDay) return { outcome: "tooMany" };
  const email = isMove ? wanted.email : null;
  if (isMove && (email === null || foldAddress(email) === foldAddress(asker.email))) {
    return { outcome: "faulty" };
  }
  const { projectId, contactId } = holder;
  const id = newId(projectId);
  await tx.insert(personRequests).values({ id, projectId, contactId, kind: wanted.action, email });
  const person = languageIn(asker.data);
  return { outcome: "asked", id, projectId, to: email ?? asker.email, person };
}

/**
 * Stores what the holder of a link asks for, and mails the link that confirms it to the new address, otherwise to
 * their own. The answer is the same whether the new address is known or not. null: the token is not ours.
 */
export async function askFor(
  db: Database,
  token: string,
  wanted: PersonRequestInput,
  /** The page's language, and those the browser asks for. */
  languages: readonly (string | null)[],
): Promise<AskOutcome | null> {
  const asked = await db.transaction((tx) => keepRequest(tx, token, wanted));
  if (asked.outcome !== "asked") return asked.outcome;
  const { id, projectId, to, person } = asked;
  if (wanted.action === "address" && (await wouldBeBlocked(db, projectId, to))) return "asked";
  try {
    await mailPerson(db, projectId, to, {
      kind: wanted.action,
      link: (urls) => urls.personRequest(id),
      languages: [person, ...languages],
    });
    return "asked";
  } catch (error) {
    log.error({ projectId, code: errorCode(error) }, "A person's link could not be mailed.");
    await db.delete(personRequests).where(eq(personRequests.id, id));
    return "unsent";
  }
}
