import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { errorCode } from "@/db/errors";
import { assignments, columns, insertSelected } from "@/db/names";
import { domains, emailQueue, senderPauses } from "@/db/schema";
import { mailTeam } from "@/lib/domain/team-letters/mail";
import { log } from "@/lib/ground/log";
import { announce } from "@/lib/ground/queue/announce";
import { awake, endSenderPause, heldBack } from "@/lib/ground/queue/sender-pauses";
import type { MessageContent } from "@/lib/mail/content/message-contents";
import { Breaker } from "./breaker";
import type { ClaimedEmail } from "./claim";
import type { DeliveryResult } from "./result";

/** How often one email of a paused sender is tried. */
const probeSeconds = 60;

interface Pause extends Record<string, unknown> {
  domain_id: string;
  probe_email_id: string | null;
  due: boolean;
}

/**
 * Pauses senders whom the mail server refuses twenty times in a row with the same words, whoever the mail is for.
 * All workers know of a pause with their next beat. One email a minute finds out whether the pause can end;
 * campaigns have their own breaker.
 */
export class PausedSenders {
  readonly #db: Database;
  readonly #breaker = new Breaker();
  /** The email that may be tried, by the domain's uuid. */
  #probes = new Map<string, string | null>();
  readonly #letters = new Set<Promise<unknown>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Reads who is paused, and lets one email go out for each sender whose turn has come. */
  async refresh(): Promise<void> {
    let pauses = await this.#read();
    if (pauses.some(({ due }) => due)) {
      await this.#chooseProbes();
      pauses = await this.#read();
    }
    this.#probes = new Map(pauses.map((pause) => [pause.domain_id, pause.probe_email_id]));
  }

  /** Whether the email has to wait because its sender is paused. */
  holdsBack({ id, campaignId }: ClaimedEmail, { test, domain }: MessageContent): boolean {
    if (campaignId !== null || test || !domain || domain.builtIn) return false;
    const probe = this.#probes.get(domain.id);
    return probe !== undefined && probe !== id;
  }

  /** Whether anybody is paused. */
  get any(): boolean {
    return this.#probes.size > 0;
  }

  /** Looks at what the server said about an email's sender. */
  async consider({ email, sender, domainId }: DeliveryResult): Promise<void> {
    if (sender === null || domainId === null) return;
    try {
      if (sender === "taken") {
        this.#breaker.note(domainId, null);
        if (this.#probes.has(domainId)) await this.#end(email.projectId, domainId);
      } else if (
        email.campaignId === null &&
        !this.#probes.has(domainId) &&
        this.#breaker.note(domainId, sender.refusal)
      ) {
        await this.#pause(email.projectId, domainId, sender.refusal);
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

  async #chooseProbes(): Promise<void> {
    await executePrepared(
      this.#db,
      sql`
      with due as materialized (
        select ${senderPauses.domainId}, ${senderPauses.projectId} from ${senderPauses}
        where ${senderPauses.probeAt} <= app_now() for update skip locked
      ), chosen as materialized (
        select due.domain_id, (
          select ${emailQueue.emailId} from ${heldBack(sql`due.project_id`, sql`due.domain_id`)}
          limit 1) as email_id
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
    const [paused] = await this.#db.execute<{ name: string }>(sql`
      with paused as (
        ${insertSelected(senderPauses, {
          domainId: sql`${domains.id}`,
          projectId: sql`${domains.projectId}`,
          words: sql`${words}`,
          probeAt: sql`app_now() + make_interval(secs => ${probeSeconds})`,
        })}
        from ${domains} where ${domains.id} = ${domainId} and ${domains.projectId} = ${projectId}
        on conflict (${columns(senderPauses.domainId)}) do nothing
        returning ${senderPauses.domainId}
      ) select ${domains.name} from paused join ${domains} on ${domains.id} = paused.domain_id`);
    this.#probes.set(domainId, this.#probes.get(domainId) ?? null);
    // Another worker paused it a moment earlier, and sends the notices.
    if (!paused) return;
    log.warn({ domainId, words }, "The mail server refuses a sender; its mail is waiting.");
    const { name: domain } = paused;
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

  async #end(projectId: string, domainId: string): Promise<void> {
    this.#probes.delete(domainId);
    if (await this.#db.transaction((tx) => endSenderPause(tx, { projectId, domainId }))) {
      log.info({ domainId }, "The mail server accepts mail from a sender again.");
      announce(this.#db, "emails_due");
    }
  }
}
