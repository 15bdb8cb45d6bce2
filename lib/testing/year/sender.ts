import { and, eq } from "drizzle-orm";
import { domains, emails, links } from "@/db/schema";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { campaignInput } from "@/lib/domain/campaigns/schema";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { recordReport } from "@/lib/domain/delivery-reports/report";
import { unsubscribeByToken } from "@/lib/domain/opt-outs/change-preferences";
import { recordVisits } from "@/lib/domain/tracking/record";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { recipientToken } from "@/lib/mail/tracking/tokens";
import type { Chance } from "@/lib/testing/chance";
import { send } from "@/lib/testing/delivery";
import type { TestProject } from "@/lib/testing/index";
import { join, makeList } from "@/lib/testing/opt-outs";
import { day, type Moment } from "./days";
import { isTroubled, settle, timesOf, type LedgerMail } from "./ledger";

const visitor = { userAgent: "Mozilla/5.0 Firefox/140.0", address: "203.0.113.7" };
const linksOfMail = 3;
const body = Array.from(
  { length: linksOfMail },
  (_, n) => `<p><a href="https://example.com/${n}">Page ${n}</a></p>`,
).join("");
/** Who gets receipts and, being on the list, campaigns. */
export const readers = ["ada@example.org", "ben@example.org", "cleo@example.org"];

export interface LedgerCampaign {
  id: string;
  startsAt: number;
  hasStarted: boolean;
}

/** Somebody who sends a year's mail, by the product's own verbs, and writes down what they did. */
export class Sender {
  readonly mails: LedgerMail[] = [];
  readonly campaigns: LedgerCampaign[] = [];
  readonly departures: { at: number; campaign: string }[] = [];
  readonly members = new Set<string>();
  #numbered = 0;
  #listId = "";

  constructor(
    readonly project: TestProject,
    /** For so long emails are kept. */
    readonly keptDays: number,
    private readonly chance: Chance,
  ) {}

  get listId(): string {
    return this.#listId;
  }

  async begin(): Promise<void> {
    const { ctx, projectId } = this.project;
    await ctx.db.update(domains).set({ trackClicks: true }).where(eq(domains.projectId, projectId));
    this.#listId = (await makeList(ctx)).id;
    for (const reader of readers) await this.#join(reader);
  }

  async #join(address: string): Promise<void> {
    await join(this.project.ctx, this.#listId, address);
    this.members.add(address);
  }

  async #send(at: number, to: string, scheduledAt: number | null = null): Promise<void> {
    const [id = ""] = await send(this.project.ctx, {
      ...{ from: "shop@sandbox.test", to, subject: "Receipt", body },
      ...(scheduledAt === null ? {} : { scheduledAt: new Date(scheduledAt).toISOString() }),
    });
    this.mails.push({
      ...{ id, to, campaign: null, acceptedAt: at, dueAt: scheduledAt ?? at, happened: [] },
    });
  }

  async #campaign(at: number, startsAt: number): Promise<void> {
    const { ctx } = this.project;
    const news = { name: "News", subject: "News", from: "news@sandbox.test", body };
    const draft = campaignInput.parse({ ...news, listId: this.#listId });
    const { id } = await createCampaign(ctx, draft);
    const scheduledAt = new Date(startsAt).toISOString();
    await sendCampaign(ctx, id, startsAt > at ? { scheduledAt } : {});
    this.campaigns.push({ id, startsAt, hasStarted: false });
  }

  /** Somebody who plays a part in what follows, whom nobody wrote to before. */
  #newcomer = (part: string) => `${part}+${++this.#numbered}@sandbox.test`;

  /** What is sent at a moment, before a worker comes. */
  async act({ at, kind }: Moment): Promise<void> {
    const { chance } = this;
    await this.#send(at, chance.pick(readers));
    if (chance.oneIn(3)) await this.#send(at, this.#newcomer("delivered"));
    if (chance.oneIn(5)) await this.#send(at, this.#newcomer("bounced"));
    if (chance.oneIn(5)) await this.#send(at, this.#newcomer("complained"));
    if (chance.oneIn(6)) {
      await this.#send(at, chance.pick(readers), at + (1 + chance.below(25)) * day);
    }
    if (kind === "eve") {
      // All three begin in one month and end in the next.
      await this.#send(at, this.#newcomer("deferred"));
      await this.#send(at, chance.pick(readers), at + 120_000);
      await this.#campaign(at, at + 120_000);
    }
    if (kind === "first") await this.#leave(at);
    if (new Date(at).getUTCDate() === 10) {
      await this.#join(this.#newcomer("delivered"));
      await this.#join(this.#newcomer("bounced"));
      await this.#campaign(at, at);
    }
  }

  /** Somebody leaves the list by the button beside an older campaign. */
  async #leave(at: number): Promise<void> {
    const mail = this.mails.findLast(
      ({ to, campaign }) =>
        campaign !== null && to.startsWith("delivered+") && this.members.has(to),
    );
    if (!mail?.campaign) return;
    await unsubscribeByToken(this.project.ctx.db, recipientToken(mail.id));
    this.members.delete(mail.to);
    this.departures.push({ at, campaign: mail.campaign });
    mail.happened.push({ name: "unsubscribed", at });
  }

  /** What a worker did: campaigns began, and what was due has had its outcome. */
  async settle(at: number): Promise<void> {
    for (const campaign of this.campaigns) {
      if (campaign.hasStarted || campaign.startsAt > at) continue;
      campaign.hasStarted = true;
      const rows = await this.project.ctx.db
        .select({ id: emails.id, to: emails.recipient })
        .from(emails)
        .where(eq(emails.campaignId, decodeId("campaign", campaign.id) ?? ""));
      const ids = new Map(rows.map(({ id, to }) => [to, id]));
      const dead = this.mails.filter(isTroubled).map(({ to }) => to);
      for (const to of [...this.members].filter((member) => !dead.includes(member))) {
        const id = ids.get(to) ?? "";
        const mail = { id, to, campaign: campaign.id, acceptedAt: at, dueAt: at, happened: [] };
        this.mails.push(mail);
      }
    }
    settle(this.mails, at);
  }

  /** Whether there is still something of it after a clean-up. */
  isKept = ({ acceptedAt }: LedgerMail, cleanedAt: number): boolean =>
    acceptedAt >= cleanedAt - this.keptDays * day;

  /** Recent mail is read, now and then some that is old, and one report comes a second time. */
  async react(at: number, cleanedAt: number): Promise<void> {
    const { chance } = this;
    const arrived = this.mails.filter(
      (mail) => timesOf(mail, "delivered") > 0 && !isTroubled(mail),
    );
    const isRecent = ({ acceptedAt }: LedgerMail) => acceptedAt > at - 12 * day;
    const old = arrived.filter((mail) => !isRecent(mail));
    const read = arrived.filter((mail) => isRecent(mail) && chance.oneIn(4));
    if (old.length > 0 && chance.oneIn(2)) read.push(chance.pick(old));
    for (const mail of read) await this.#read(mail, at, this.isKept(mail, cleanedAt));
    const repeated = old.filter((mail) => this.isKept(mail, cleanedAt));
    if (repeated.length === 0) return;
    const id = encodeId("email", chance.pick(repeated).id);
    await recordReport(this.project.ctx, id, { kind: "delivered" });
  }

  async #read(mail: LedgerMail, at: number, isKept: boolean): Promise<void> {
    const { db } = this.project.ctx;
    const url = `https://example.com/${this.chance.below(linksOfMail)}`;
    const [target] = await db
      .select({ id: links.id })
      .from(links)
      .innerJoin(emails, eq(emails.messageId, links.messageId))
      .where(and(eq(emails.id, mail.id), eq(links.url, url)));
    const clicks = target !== undefined && this.chance.oneIn(2);
    const link = target ? { id: BigInt(target.id), url, links: linksOfMail } : null;
    const opening = { emailId: mail.id, link: null, visitor };
    await recordVisits(db, clicks ? [opening, { emailId: mail.id, link, visitor }] : [opening]);
    if (!isKept) return;
    mail.happened.push({ name: "opened", at });
    if (clicks) mail.happened.push({ name: "clicked", at, url });
  }
}
