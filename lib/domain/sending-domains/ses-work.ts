// What is done about one identity at Amazon SES:
// | the account            | we                                                                            |
// |------------------------|-------------------------------------------------------------------------------|
// | does not know the name | make it, with the DKIM key whose record was found, and with its MAIL FROM     |
// | knows it, by us        | give it the key and the MAIL FROM again if it lost them or gave up on them    |
// | knows it, by others    | leave alone what works there, and never delete it                             |
// No mail waits for any of this: SES itself refuses a sender that it does not know.
import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import type { SesStatus } from "@/db/enums";
import { now } from "@/db/schema/columns";
import type { RecordCheck } from "@/db/schema/domains";
import type { SesAnswer, SesFault } from "@/db/schema/ses-identities";
import { sesIdentities } from "@/db/schema";
import type { SesAccount } from "@/lib/ground/aws/ses-requests";
import { log } from "@/lib/ground/log";
import { storableText } from "@/lib/ground/storable-text";
import { SesFaultError, SesIdentities } from "@/lib/mail/providers/ses-identities";
import { lookUpMailFrom } from "./lookup";
import {
  bringUpToDate,
  askWithNewKey,
  claimIdentities,
  forgetIdentity,
  isUsedElsewhere,
  noteIdentity,
  type ClaimedIdentity,
} from "./ses-claim";
import { accountOf, keyIdOf, signingKeyOf, unreadableKey } from "./ses-account";
import { mailFromHost } from "./ses-records";

/** SES takes one request a second of each kind. */
const usualPauseMilliseconds = 1_000;
/** A MAIL FROM that nobody publishes is not asked for every two hours for ever. */
const patientAttempts = 40;

const backoff = sql`make_interval(secs => case when ${sesIdentities.attempts} > ${patientAttempts} then 86400
  else least(30 * power(2, least(${sesIdentities.attempts}, 12)), 7200) end)`;
const later = {
  nextCheckAt: sql`app_now() + ${backoff}`,
  attempts: sql`${sesIdentities.attempts} + 1`,
};
const settled = { nextCheckAt: sql`app_now() + interval '1 day'`, attempts: 0 };

/** Whether SES signs the domain's mail with our key; it need not name the selector. */
function signsWith({ dkim }: SesAnswer, selector: string, given: string | null): boolean {
  if (!dkim.own) return false;
  return dkim.selectors.length > 0 ? dkim.selectors.includes(selector) : given === selector;
}

/** A look-up of SES's that failed once takes nothing away. */
const works = (status: SesStatus | undefined) =>
  status === "SUCCESS" || status === "TEMPORARY_FAILURE";

const isGood = (check: RecordCheck | undefined) => check?.ok === true && !check.kind;

/** What a try has come to so far. */
interface Progress {
  answer: SesAnswer | null;
  made: boolean | null;
  selector: string | null;
  checks: ClaimedIdentity["row"]["checks"];
}

/** Does what the table above says. Throws SesFaultError; what had come of it by then stands in `progress`. */
async function keep(
  db: Database,
  ses: SesIdentities,
  { claimed, account }: { claimed: ClaimedIdentity; account: SesAccount },
  progress: Progress,
): Promise<void> {
  const { row, domain } = claimed;
  const { name, region } = row;
  if (!domain) return;
  progress.answer = await ses.find(name);
  // Somebody who does not own the domain any longer changes nothing there.
  if (domain.status !== "VERIFIED") return;
  const key = signingKeyOf(domain);
  const { answer } = progress;
  const accessKeyId = keyIdOf(account);
  if (answer === null) {
    // Written down first: a process that dies behind the request still deletes it one day.
    if (!(await noteIdentity(db, claimed, { made: true, accessKeyId }))) return;
    // Where it is refused, or somebody was faster, the next look tells whose it is.
    progress.made = null;
    if (!(await ses.create(name, key))) return;
    progress.made = true;
    progress.selector = key.selector;
  } else {
    const signs = signsWith(answer, key.selector, progress.selector);
    progress.made ??= signs;
    const gaveUp = answer.dkim.status === "FAILED" && isGood(domain.checks.DKIM);
    const mayReplace = progress.made || !works(answer.dkim.status);
    if (signs ? gaveUp : mayReplace) {
      if (!(await noteIdentity(db, claimed, { made: progress.made, accessKeyId }))) return;
      await ses.sign(name, key);
      progress.selector = key.selector;
      progress.answer = null;
    }
  }
  const fault = await keepMailFrom(
    ses,
    { name, host: mailFromHost(name, region) },
    answer,
    progress,
  );
  progress.answer ??= await ses.find(name);
  if (fault) throw fault;
}

/** Returns what SES had against it: the rest is worth knowing nevertheless. */
async function keepMailFrom(
  ses: SesIdentities,
  { name, host }: { name: string; host: string },
  before: SesAnswer | null,
  progress: Progress,
): Promise<SesFaultError | null> {
  const mailFrom = before?.mailFrom ?? null;
  const isOther = mailFrom?.host !== host;
  const mayReplace = progress.made === true || !works(mailFrom?.status);
  const gaveUp = mailFrom?.status === "FAILED" && isGood(progress.checks.MX);
  if (!(isOther ? mayReplace : gaveUp)) return null;
  progress.answer = null;
  try {
    await ses.setMailFrom(name, host);
    return null;
  } catch (error) {
    if (error instanceof SesFaultError) return error;
    throw error;
  }
}

function isSettled({ answer }: Progress): boolean {
  return (
    answer !== null &&
    answer.sends &&
    answer.dkim.status === "SUCCESS" &&
    answer.mailFrom?.status === "SUCCESS"
  );
}

async function keepOne(
  db: Database,
  ses: SesIdentities,
  claimed: ClaimedIdentity,
  account: SesAccount,
): Promise<SesFault | null> {
  const { row } = claimed;
  const isNewKey = row.accessKeyId !== null && row.accessKeyId !== keyIdOf(account);
  const { name: zone, region } = row;
  const host = row.answer?.mailFrom?.host ?? mailFromHost(zone, region);
  const progress: Progress = {
    answer: null,
    // Another key may be another account's, where somebody else may have made it.
    made: isNewKey && row.made ? null : row.made,
    selector: isNewKey ? null : row.selector,
    checks: await lookUpMailFrom({ host, zone, region }, row.checks),
  };
  let fault: SesFault | null = null;
  try {
    await keep(db, ses, { claimed, account }, progress);
  } catch (error) {
    if (!(error instanceof SesFaultError)) throw error;
    fault = storable(error.fault);
  }
  const { answer, made, selector } = progress;
  const hostNow = answer?.mailFrom?.host ?? host;
  const checks =
    hostNow === host ? progress.checks : await lookUpMailFrom({ host: hostNow, zone, region }, {});
  await noteIdentity(db, claimed, {
    ...(answer === null && fault ? {} : { answer }),
    ...{ made, selector, checks, fault, checkedAt: now, accessKeyId: keyIdOf(account) },
    ...(fault === null && isSettled(progress) ? settled : later),
  });
  return fault;
}

const storable = ({ kind, words }: SesFault): SesFault => ({ kind, words: storableText(words) });

async function leaveOne(
  db: Database,
  ses: SesIdentities,
  claimed: ClaimedIdentity,
  account: SesAccount,
): Promise<SesFault | null> {
  const { row } = claimed;
  const isOurs = row.made === true && row.accessKeyId === keyIdOf(account);
  try {
    if (isOurs && !(await isUsedElsewhere(db, row))) {
      await ses.delete(row.name);
      log.info({ name: row.name, region: row.region }, "An identity was deleted at Amazon SES.");
    }
    await forgetIdentity(db, claimed);
    return null;
  } catch (error) {
    if (!(error instanceof SesFaultError)) throw error;
    const fault = storable(error.fault);
    if (claimed.overdue) {
      log.warn({ name: row.name, ...fault }, "An identity that nobody uses stays at Amazon SES.");
      await forgetIdentity(db, claimed);
    } else await noteIdentity(db, claimed, { fault, ...later });
    return fault;
  }
}

/** Whether the account's other identities would fare the same: the fault names none of them. */
const isCommon = ({ kind, words }: SesFault) =>
  kind !== "refused" && !(kind === "denied" && words.includes(":identity/"));

interface KeepOptions {
  signal?: AbortSignal;
  pauseMilliseconds?: number;
}

/** Looks after identities of one account and region, one after the other. */
async function keepAccount(
  db: Database,
  claimed: readonly ClaimedIdentity[],
  { signal, pauseMilliseconds = usualPauseMilliseconds }: KeepOptions,
): Promise<void> {
  const account = claimed[0] && accountOf(claimed[0]);
  if (!account) {
    // The installation's mail goes another way now, without a key to delete anything with.
    for (const one of claimed) await forgetIdentity(db, one);
    return;
  }
  if (account === "unreadable") {
    for (const one of claimed) await noteIdentity(db, one, { fault: unreadableKey, ...later });
    return;
  }
  const ses = new SesIdentities(account, pauseMilliseconds);
  try {
    let common: SesFault | null = null;
    for (const one of claimed) {
      if (signal?.aborted) {
        await noteIdentity(db, one, { nextCheckAt: now });
        continue;
      }
      if (common) {
        await noteIdentity(db, one, { fault: common, ...later });
        continue;
      }
      const work = one.row.leavingSince === null ? keepOne : leaveOne;
      const fault = await work(db, ses, one, account);
      if (fault) {
        const { name, connectionId } = one.row;
        log.warn({ name, connectionId, ...fault }, "Amazon SES did not do what was asked.");
        if (isCommon(fault)) common = fault;
      }
    }
  } finally {
    ses.close();
  }
}

/**
 * Makes the domains whose mail leaves through Amazon SES known there, asks how far it has come with them, and deletes
 * those that nobody uses, until nothing is due or `signal` asks to stop. Returns how many were looked after.
 */
export async function keepSesIdentities(db: Database, options: KeepOptions = {}): Promise<number> {
  await bringUpToDate(db);
  await askWithNewKey(db);
  let kept = 0;
  while (!options.signal?.aborted) {
    const claimed = await claimIdentities(db);
    if (claimed.length === 0) break;
    const accounts = Map.groupBy(claimed, ({ row }) => `${row.connectionId} ${row.region}`);
    const results = await Promise.allSettled(
      [...accounts.values()].map((ofAccount) => keepAccount(db, ofAccount, options)),
    );
    for (const result of results) {
      if (result.status === "rejected") {
        const { name } = result.reason as Error;
        log.error({ name }, "Identities at Amazon SES could not be looked after.");
      }
    }
    kept += claimed.length;
  }
  return kept;
}
