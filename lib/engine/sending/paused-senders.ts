import { eq, sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { errorCode } from "@/db/errors";
import { assignments, columns, insertSelected, newIdOf } from "@/db/names";
import { domains, emailQueue, emails, messages, senderPauses, teamLetters } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { mailTeam } from "@/lib/domain/team-letters/mail";
import { log } from "@/lib/ground/log";
import { announce } from "@/lib/ground/queue/announce";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { awake, endSenderPause, heldBack, isHeldBack } from "@/lib/ground/queue/sender-pauses";
import type { MessageContent } from "@/lib/mail/content/message-contents";
import { Breaker } from "./breaker";
import type { ClaimedEmail } from "./claim";
import type { DeliveryResult } from "./result";

/** How often one email of a paused sender is tried. */
const probeSeconds = 60;
/** Among so many of a project's newest emails, one is looked for that waits. */
const recentMail = 200;
/** A pause may end and begin again every minute: for so long, the team hears of the first alone. */
const toldAgainHours = 6;

interface Pause extends Record<string, unknown> {
  domain_id: string;
  probe_email_id: string | null;
  due: boolean;
}

/**
 * Pauses senders whom, or whose messages, the mail server refuses twenty times in a row with the same words, whoever the
 * mail is for. All workers know of a pause with their next beat. One email a minute finds out whether the pause can end;
 * campaigns have their own breaker.
 */
export class PausedSenders {
  readonly #db: Database;
  readonly #breaker = new Breaker();
  /** The email that may be tried, by the domain's uuid. */
  #probes = new Map<string, string | null>();
  /** Pauses that are being written, by the domain's uuid. */
  readonly #pausing = new Map<string, Promise<void>>();
  /** Domains that were paused here since the pauses were last read: what is read then may be older. */
  readonly #news = new Set<string>();
  readonly #letters = new Set<Promise<unknown>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Reads who is paused, and lets one email go out for each sender whose turn has come. */
  async refresh(): Promise<void> {
    this.#news.clear();
    let pauses = await this.#read();
    if (pauses.some(({ due }) => due)) {
      await this.#chooseProbes();
      pauses = await this.#read();
    }
    this.#probes = new Map(pauses.map((pause) => [pause.domain_id, pause.probe_email_id]));
    for (const domainId of this.#news) {
      if (!this.#probes.has(domainId)) this.#probes.set(domainId, null);
    }
  }

  /** Whether the email has to wait because its sender is paused. Waits for a pause that is being written. */
  async holdsBack(
    { id, campaignId }: ClaimedEmail,
    { test, domain }: MessageContent,
  ): Promise<boolean> {
    if (campaignId !== null || test || !domain || domain.builtIn) return false;
    await this.#pausing.get(domain.id);
    const probe = this.#probes.get(domain.id);
    return probe !== undefined && probe !== id;
  }

  /** Whether the email is the one that is tried although its sender is paused. */
  tries({ id }: ClaimedEmail): boolean {
    return this.#probes.size > 0 && [...this.#probes.values()].includes(id);
  }

  /** Whether anybody is paused, or about to be. */
  get any(): boolean {
    return this.#probes.size > 0 || this.#pausing.size > 0;
  }

  /** Looks at what the server said about an email's sender. */
  async consider({ email, sender, domainId }: DeliveryResult): Promise<void> {
    if (sender === null || domainId === null) return;
    try {
      if (sender === "taken") {
        this.#breaker.note(domainId, null);
        if (this.#probes.has(domainId)) await this.#end(email.projectId, domainId);
      } else if (this.#probes.get(domainId) === email.id) {
        await this.#quote(domainId, sender.refusal);
      } else if (
        email.campaignId === null &&
        !this.#probes.has(domainId) &&
        !this.#pausing.has(domainId) &&
        this.#breaker.note(domainId, sender.refusal)
      ) {
        const pausing = this.#pause(email.projectId, domainId, sender.refusal);
        // Whoever waits for it goes on in either case.
        this.#pausing.set(
          domainId,
          pausing.catch(() => undefined),
        );
        await pausing.finally(() => this.#pausing.delete(domainId));
      }
    } catch (error) {
      // The next answers will start or end the pause.
      log.error({ domainId, code: errorCode(error) }, "A sender's pause could not be changed.");
    }
  }

  /** Resolves when everybody has been notified of the pauses. */
  async told(): Promise<void> {
    await Promise.all(this.#letters);
  }

  #read(): Promise<Pause[]> {
    return executePrepared<Pause>(
      this.#db,
      sql`select ${senderPauses.domainId}, ${senderPauses.probeEmailId},
        ${senderPauses.probeAt} <= app_now() as due from ${senderPauses}`,
    );
  }

  /**
   * One of the newest each: where it is one template that is refused, that may be another, whatever waits before it. Looked
   * for among the newest of the log: no index has what waits by its age, and all of the queue could be read.
   */
  async #chooseProbes(): Promise<void> {
    await executePrepared(
      this.#db,
      sql`
      with due as materialized (
        select ${senderPauses.domainId}, ${senderPauses.projectId} from ${senderPauses}
        where ${senderPauses.probeAt} <= app_now() and ${worksHere(senderPauses.projectId)}
        for update skip locked
      ), chosen as materialized (
        select due.domain_id, coalesce((
          select held.email_id from (
            select ${emails.id}, ${emails.messageId}, ${emails.createdAt} from ${emails}
            where ${emails.projectId} = due.project_id
            order by ${emails.createdAt} desc, ${emails.id} desc limit ${recentMail}
          ) recent cross join lateral (
            select ${emailQueue.emailId} from ${emailQueue}
            where ${emailQueue.emailId} = recent.id and ${isHeldBack}
              and (select ${messages.domainId} from ${messages}
                where ${messages.id} = recent.message_id) = due.domain_id
            limit 1
          ) held order by recent.created_at desc, recent.id desc limit 1
        ), (
          select ${emailQueue.emailId} from ${heldBack(sql`due.project_id`, sql`due.domain_id`)}
          limit 1)) as email_id
        from due
      ), woken as (
        update ${emailQueue} set ${assignments(emailQueue, awake)}
        where ${emailQueue.emailId} = any(array(select email_id from chosen))
      )
      update ${senderPauses} set ${assignments(senderPauses, {
        probeEmailId: sql`chosen.email_id`,
        probeAt: sql`app_now() + make_interval(secs => ${probeSeconds})`,
      })}
      from chosen where ${senderPauses.domainId} = chosen.domain_id`,
    );
  }

  async #pause(projectId: string, domainId: string, words: string): Promise<void> {
    const { createdAt, projectId: of, kind, key } = teamLetters;
    const [paused] = await this.#db.execute<{ name: string; news: boolean }>(sql`
      with paused as (
        ${insertSelected(senderPauses, {
          domainId: sql`${domains.id}`,
          projectId: sql`${domains.projectId}`,
          words: sql`${words}`,
          probeAt: sql`app_now() + make_interval(secs => ${probeSeconds})`,
        })}
        from ${domains} where ${domains.id} = ${domainId} and ${domains.projectId} = ${projectId}
        on conflict (${columns(senderPauses.domainId)}) do nothing
        returning ${senderPauses.domainId}, ${senderPauses.projectId}
      ), told as (
        ${insertSelected(teamLetters, {
          id: newIdOf(sql`paused.project_id`),
          projectId: sql`paused.project_id`,
          kind: sql`'sendingHeld'`,
          key: sql`paused.domain_id::text`,
          data: sql`'{}'::jsonb`,
          // It is mailed here, at once.
          dueAt: sql`null::timestamptz`,
        })}
        from paused
        on conflict (${columns(of, kind, key)}) do update set ${assignments(teamLetters, { createdAt: now })}
        where ${createdAt} < app_now() - make_interval(hours => ${toldAgainHours})
        returning 1 as made
      ) select ${domains.name}, exists (select from told) as news
      from paused join ${domains} on ${domains.id} = paused.domain_id`);
    this.#probes.set(domainId, this.#probes.get(domainId) ?? null);
    this.#news.add(domainId);
    // Another worker paused it a moment earlier, and sends the notices.
    if (!paused) return;
    log.warn({ domainId, words }, "The mail server refuses a sender; its mail is waiting.");
    if (paused.news) this.#tell(projectId, domainId, paused.name, words);
  }

  #tell(projectId: string, domainId: string, domain: string, words: string): void {
    const letters = mailTeam(this.#db, projectId, "sendingHeld", (project, { text }) => ({
      subject: text("mail.refused.subject"),
      preview: text("mail.refused.preview", { domain, words }),
      text: text("mail.refused.text", { project, domain, words }),
      action: { label: text("mail.refused.button"), page: "/sending" },
    })).catch((error: unknown) => {
      log.error({ domainId, code: errorCode(error) }, "The team could not be told.");
    });
    this.#letters.add(letters);
    void letters.finally(() => this.#letters.delete(letters));
  }

  /** What it says now: the cause may be another one than when the pause began. */
  async #quote(domainId: string, words: string): Promise<void> {
    await this.#db.update(senderPauses).set({ words }).where(eq(senderPauses.domainId, domainId));
  }

  async #end(projectId: string, domainId: string): Promise<void> {
    this.#probes.delete(domainId);
    this.#news.delete(domainId);
    if (await this.#db.transaction((tx) => endSenderPause(tx, { projectId, domainId }))) {
      log.info({ domainId }, "The mail server accepts mail from a sender again.");
      announce(this.#db, "emails_due");
    }
  }
}
