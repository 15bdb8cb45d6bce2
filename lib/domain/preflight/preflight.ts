import { estimateAudience, findFilter } from "@/lib/domain/campaigns/audience";
import { senderOf, mailsOf } from "@/lib/domain/campaigns/mail";
import { tryMail, type MailTrial } from "@/lib/domain/campaigns/mail-problems";
import { findCampaignRow } from "@/lib/domain/campaigns/read";
import { findProblem, type CampaignRow } from "@/lib/domain/campaigns/readiness";
import type { Audience } from "@/lib/domain/campaigns/audience-schema";
import { findCampaignPace } from "@/lib/domain/sending-state/pace";
import { previewWarmup, type WarmupPreview } from "@/lib/domain/warm-up/preview";
import { requireRole, type Context } from "@/lib/ground/context";
import { isAppError, type AppError } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { amount, counted } from "@/lib/ground/amount";
import { dateFormat } from "@/lib/ground/texts/formats";
import { t } from "@/lib/ground/texts/t";
import { judgeAbTest } from "./ab-test";
import { advisory, blocking, field } from "./findings";
import { judgeAnswers, judgeHtml, judgeWayOut, sentBytes } from "./html";
import { readAudience } from "./people";
import { judgePlaceholders, usedPlaceholders } from "./placeholders";
import { judgeRepetition } from "./repeated";
import type { AdvisoryFinding, BlockingFinding, Preflight } from "./schema";
import { findSenderDomain, judgeSender, summarizeSender, type SenderDomain } from "./sender";
import { findSpamReasons, notablePoints } from "./words";

/** From this many people on, a domain that is new to its receivers should begin slowly. */
const notableAudience = 1_000;
const newDomainDays = 30;
const dayMilliseconds = 86_400_000;
const utcTime = (time: Date) =>
  dateFormat({ dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(time);

/** As the API names them: the rest of their sentence is the API's, too. */
const labels: Record<string, string> = {
  subject: "The subject",
  from: "The sender",
  body: "The content",
  segmentId: "The segment",
  listId: "The list",
  templateId: "The template",
  "abTest.winnerMetric": "The metric that decides the A/B test",
};

const toSentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

function blockingOf(problem: AppError | null): BlockingFinding[] {
  if (!problem) return [];
  if (problem.code === "CONFLICT") return [blocking("app_url_not_https", problem.message)];
  const code = problem.code === "DOMAIN_NOT_VERIFIED" ? "sender_not_verified" : "incomplete";
  return (problem.details ?? []).map(({ path, message }) =>
    blocking(
      code,
      toSentence(code === "incomplete" ? `${labels[path] ?? path} ${message}` : message),
      {
        places: [field(path)],
      },
    ),
  );
}

function blockingOfMail({ problems }: MailTrial): BlockingFinding[] {
  return problems.map(({ code, path, message }) => {
    const [, line, column] = /, line (\d+), column (\d+)$/.exec(message) ?? [];
    const place = { ...field(path), line: Number(line) || null, column: Number(column) || null };
    return blocking(code, toSentence(`the content ${message}`), { places: [place] });
  });
}

interface AudienceCount {
  audience: Audience | null;
  findings: AdvisoryFinding[];
}

async function countAudience(
  ctx: Context,
  { segmentId, listId, topicId }: CampaignRow,
): Promise<AudienceCount> {
  try {
    const audience = await estimateAudience(ctx, {
      segmentId: segmentId && encodeId("segment", segmentId),
      listId: listId && encodeId("list", listId),
      topicId: topicId && encodeId("topic", topicId),
    });
    const places = [field(segmentId ? "segmentId" : "listId")];
    const empty = t("There is nobody in the audience: the campaign would end at once.");
    return {
      audience,
      findings: audience.count === 0 ? [advisory("audience_empty", empty, { places })] : [],
    };
  } catch (error) {
    if (!isAppError(error)) throw error;
    // A segment or list that is gone blocks sending, which is reported there.
    const isGone = error.code === "NOT_FOUND";
    const message = t("The audience could not be counted in time.");
    return { audience: null, findings: isGone ? [] : [advisory("audience_not_counted", message)] };
  }
}

function judgeSpam({ rendered }: MailTrial): {
  spam: Preflight["spam"];
  findings: AdvisoryFinding[];
} {
  const trials = rendered.map((one) => {
    const { subject, text, inspected, mail } = one;
    const reasons = findSpamReasons({ subject, text: text ?? "", images: inspected.images.length });
    return { mail, reasons, score: reasons.reduce((sum, { points }) => sum + points, 0) };
  });
  const [worst] = trials.sort((left, right) => right.score - left.score);
  if (!worst) return { spam: { score: 0, reasons: [] }, findings: [] };
  const { mail, reasons, score } = worst;
  const words = reasons.map(({ text }) => text);
  const message = t(
    "Our own short list of warning signs gives it {score} points: {signs}. No spam filter goes by words alone, but people notice them, too.",
    { score, signs: words.slice(0, 5).join(", ") },
  );
  const places = [field(mail.paths.subject), field(mail.paths.body)];
  return {
    spam: { score, reasons },
    findings:
      score >= notablePoints ? [advisory("spam_words", message, { places, examples: words })] : [],
  };
}

function judgeWarmup(
  domain: SenderDomain | null,
  preview: WarmupPreview | null,
  people: number,
): AdvisoryFinding[] {
  if (!domain || people === 0) return [];
  const places = [field("from")];
  if (preview) {
    if (people <= preview.leftToday) return [];
    const { days, dailyCap, expectedEndAt } = preview;
    const values = { domain: domain.name, dailyCap: amount(dailyCap) };
    const message =
      days === null || expectedEndAt === null
        ? t(
            "{domain} is being warmed up: {dailyCap} emails may leave today. The campaign goes to the most engaged people first, and no end can be predicted.",
            values,
          )
        : t(
            "{domain} is being warmed up: {dailyCap} emails may leave today. The campaign goes to the most engaged people first, and takes {days, plural, one {# day} other {# days}}, until about {end} UTC.",
            { ...values, days, end: utcTime(expectedEndAt) },
          );
    return [advisory("warm_up", message, { places, ...(days === null ? {} : { count: days }) })];
  }
  const age = domain.verifiedAt
    ? (Date.now() - domain.verifiedAt.getTime()) / dayMilliseconds
    : Infinity;
  if (domain.builtIn || people < notableAudience || age > newDomainDays) return [];
  const message = t(
    "{domain} is new to its receivers: {people} emails at once may end up as spam. Turn its warm-up on under Domains.",
    { domain: domain.name, people: amount(people) },
  );
  return [advisory("warm_up_advised", message, { places })];
}

/** Campaigns longer than this are worth a note: the project's pace spreads them over hours. */
async function judgePace({ db, projectId }: Context, people: number): Promise<AdvisoryFinding[]> {
  const pace = await findCampaignPace(db, projectId);
  if (pace === null || people <= pace) return [];
  const hours = Math.ceil(people / pace);
  const time =
    hours < 48 ? counted(hours, "hour", "hours") : counted(Math.ceil(hours / 24), "day", "days");
  const message = t(
    "The project's campaigns send {pace} emails an hour: this one takes about {time}, or longer if others are being sent. The pace is set under Settings.",
    { pace: amount(pace), time },
  );
  return [advisory("paced", message, { count: hours })];
}

async function judgeAddress(ctx: Context, row: CampaignRow): Promise<AdvisoryFinding[]> {
  if ((await senderOf(ctx.db, row)).address !== "") return [];
  const message = t(
    "There is no postal address. Laws such as CAN-SPAM require one in every campaign: put it into the email, or add it in the project's settings, or the list's.",
  );
  return [advisory("postal_address_missing", message)];
}

/**
 * Everything worth knowing about a campaign before it goes out: what blocks it, what is advised, how many it
 * reaches and when it would end. Looks at a sample of a large audience, and calls the links. Changes nothing.
 * Throws NOT_FOUND.
 */
export async function preflightCampaign(ctx: Context, id: string): Promise<Preflight> {
  requireRole(ctx, "viewer");
  const { db } = ctx;
  const row = await findCampaignRow(db, ctx, id);
  const [problem, domain, mails, counted, filter] = await Promise.all([
    findProblem(db, row),
    findSenderDomain(db, row),
    mailsOf(db, row),
    countAudience(ctx, row),
    row.segmentId && findFilter(db, row.projectId, row.segmentId),
  ]);
  const { audience } = counted;
  const choice = { filter: filter || null, listId: row.listId, topicId: row.topicId };
  const isChosen = audience !== null && audience.count > 0;
  const used = await usedPlaceholders(row.projectId, mails);
  const paths = used.map(({ path }) => path);
  const people = isChosen
    ? await readAudience(db, row, choice, { audience: audience.count, paths })
    : null;
  const trial = await tryMail(db, row, people?.persons ?? []);
  const { rendered, failures } = trial;
  const counts = {
    opens: row.trackOpens ?? domain?.trackOpens ?? false,
    clicks: row.trackClicks ?? domain?.trackClicks ?? false,
  };
  const bytes = Math.max(0, ...rendered.map((one) => sentBytes(one, counts)));
  const [answers, repeated, warmup, pace, address, placeholders] = await Promise.all([
    judgeAnswers(rendered),
    isChosen ? judgeRepetition(db, row, mails, choice) : [],
    domain && previewWarmup(db, domain, audience?.count ?? 0),
    judgePace(ctx, audience?.count ?? 0),
    judgeAddress(ctx, row),
    people ? judgePlaceholders(db, row, used, people) : [],
  ]);
  const { spam, findings: spamFindings } = judgeSpam(trial);
  const untold = t("The placeholders could not be compared with the audience in time.");
  const advisoryFindings = [
    ...counted.findings,
    ...placeholders,
    ...(isChosen && !people ? [advisory("placeholders_not_checked", untold)] : []),
    ...failures.map(({ path, message }) =>
      advisory(
        "template_fails_for_some",
        toSentence(t("For some people it fails: {message}", { message })),
        {
          places: [field(path)],
        },
      ),
    ),
    ...repeated,
    ...answers.findings,
    ...judgeSender(domain),
    ...judgeWarmup(domain, warmup, audience?.count ?? 0),
    ...pace,
    ...judgeAbTest(row.abTest, audience?.count ?? 0),
    ...address,
    ...judgeHtml(rendered, bytes),
    ...spamFindings,
    ...judgeWayOut(rendered),
  ];
  return {
    campaignId: encodeId("campaign", row.id),
    checkedAt: new Date().toISOString(),
    contentUpdatedAt: row.updatedAt.toISOString(),
    blocking: [...blockingOf(problem), ...blockingOfMail(trial)],
    advisory: advisoryFindings,
    audience,
    looked: { people: people?.people ?? 0, links: answers.links, images: answers.images },
    bytes,
    sender: summarizeSender(row, domain),
    spam,
    warmup: warmup && {
      dailyCap: warmup.dailyCap,
      days: warmup.days,
      expectedEndAt: warmup.expectedEndAt?.toISOString() ?? null,
    },
  };
}
