import { executePrepared, type Database } from "@/db/client";
import { toAddressedEmail, type AddressedRow } from "@/lib/domain/emails/addressed";
import { newUnownedId } from "@/lib/ground/ids/ids";
import type { AddressedEmail } from "@/lib/mail/content/addressed-email";
import { claimStatement } from "./claim-statement";
import { knownLanes, type Lane, type LaneKind } from "./lanes";
import { allMail, hasProject, type Part } from "./part";

/** An email that this process may hand over until its lease ends. */
export interface ClaimedEmail extends AddressedEmail {
  /** Results are recorded only while the row still carries it. */
  leaseId: string;
  /** Including this attempt. */
  attempts: number;
  /** Of them, how many ended with their worker. */
  interrupted: number;
}

interface ClaimedRow extends AddressedRow {
  recipient: string;
  attempts: number;
  interrupted: number;
  begun_at: string;
  lane: string;
  share: number;
  refusal: string | null;
  /** Where the lanes that still have mail begin; only on the first row. */
  fronts: { id: string; place: string; email: string }[] | null;
}

interface Turn {
  emails: ClaimedEmail[];
  refused: number;
  /** Some project or campaign got all of its share. */
  more: boolean;
  /** Where the lanes begin that still have mail. */
  fronts: Lane[];
}

/*
 * One statement: picks in turn, skips rows that another worker holds, and checks again who may get it. Mail to
 * people who have since been suppressed or deleted, or who left (campaigns), ends as FAILED here.
 */
async function claimFrom(
  db: Database,
  kind: LaneKind | "suspects",
  lanes: readonly Lane[],
  { limit, leaseSeconds, expiredSeconds = 0, part = allMail }: LeaseOptions & { limit: number },
): Promise<Turn> {
  const newLease = newUnownedId();
  const rows = await executePrepared<ClaimedRow>(
    db,
    claimStatement(
      kind,
      { lanes, limit, expiredSeconds, part },
      { id: newLease, seconds: leaseSeconds },
    ),
  );
  const claimed = rows.filter(({ lane }) => lane !== null);
  const free = claimed.filter((row) => row.refusal === null);
  return {
    emails: free.map((row) => ({
      ...toAddressedEmail(row),
      date: new Date(row.begun_at),
      leaseId: newLease,
      attempts: row.attempts,
      interrupted: row.interrupted,
    })),
    refused: claimed.length - free.length,
    more: shareUsedUp(claimed),
    fronts: (rows[0]?.fronts ?? []).map(({ email, ...front }) => ({ ...front, emailId: email })),
  };
}

/** Whether some project or campaign got all of its share: it may have more that is due. */
function shareUsedUp(rows: readonly { lane: string; share: number }[]): boolean {
  const counts = new Map<string, number>();
  return rows.some(({ lane, share }) => {
    const count = (counts.get(lane) ?? 0) + 1;
    counts.set(lane, count);
    return count >= share;
  });
}

interface ClaimedMail {
  emails: ClaimedEmail[];
  /**
   * Emails that ended as FAILED instead: they count towards the limit, so that they do not keep other mail waiting.
   */
  refused: number;
  /** Whether mail outside campaigns fell short of the limit. */
  leftRoom: boolean;
}

interface LeaseOptions {
  leaseSeconds: number;
  /** What others hold is claimed when its lease ended so long ago. */
  expiredSeconds?: number;
  /** Whether to skip a lane whose mail could not leave now. */
  blocked?: (kind: LaneKind, lane: string) => boolean;
  /** Claims only mail of this part. */
  part?: Part;
}

export interface ClaimOptions extends LeaseOptions {
  limit: number;
  /** If false, only mail outside campaigns. */
  campaigns?: boolean;
  /** The part of the limit reserved for campaigns, however much other mail is due. */
  keptForCampaigns?: number;
}

/** How many lanes one statement asks: any others take their turn in the next. */
const lanesAtOnce = 500;

/**
 * Claims up to `limit` due emails for `leaseSeconds`, transactional ones first, with the projects and their
 * campaigns taking turns.
 */
export async function claimEmails(
  db: Database,
  { limit, campaigns = true, keptForCampaigns = 0, ...lease }: ClaimOptions,
): Promise<ClaimedMail> {
  const { part = allMail, blocked } = lease;
  const lanes = knownLanes(db, part);
  await lanes.look(db);
  const mail: ClaimedEmail[] = [];
  let refused = 0;
  /** Asks every lane of the kind once, from where the last claim ended, and again while some have more. */
  const claim = async (kind: LaneKind, most: number): Promise<void> => {
    const due = lanes.of(kind);
    const waiting = blocked ? due.filter(({ id }) => !blocked(kind, id)) : due;
    const all = kind === "campaigns" ? waiting : waiting.filter(({ id }) => hasProject(part, id));
    for (let from = 0; from < all.length; from += lanesAtOnce) {
      let asked = all.slice(from, from + lanesAtOnce);
      for (let more = true; more && asked.length > 0;) {
        const left = most - mail.length - refused;
        if (left <= 0) return;
        const turn = await claimFrom(db, kind, asked, { ...lease, limit: left });
        mail.push(...turn.emails);
        refused += turn.refused;
        lanes.answered(kind, asked, turn.fronts);
        asked = turn.fronts;
        // What a lane with little mail leaves of its share goes first to the others asked with it.
        more = turn.more;
      }
    }
  };
  if (keptForCampaigns > 0) await claim("campaigns", Math.min(keptForCampaigns, limit));
  await claim("transactional", limit);
  const leftRoom = mail.length + refused < limit;
  if (campaigns) await claim("campaigns", limit);
  return { emails: mail, refused, leftRoom };
}

/** Claims one email to be worked on alone; `refused` counts as in claimEmails. */
export async function claimSuspect(
  db: Database,
  options: LeaseOptions,
): Promise<{ emails: ClaimedEmail[]; refused: number }> {
  return claimFrom(db, "suspects", [], { ...options, limit: 1 });
}
