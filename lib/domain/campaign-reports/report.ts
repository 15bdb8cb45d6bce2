import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { variantNames } from "@/db/enums";
import { projects } from "@/db/schema";
import type { VariantContent } from "@/lib/domain/ab-tests/settings";
import type { AbTestResult } from "@/lib/domain/ab-tests/schema";
import { bucketsOf, type ActivityBuckets } from "@/lib/domain/campaigns/activity-schema";
import { getCampaignBreakdown } from "@/lib/domain/campaigns/breakdown";
import { getCampaignActivity, getCampaignProgress } from "@/lib/domain/campaigns/read";
import { getCampaignMails } from "@/lib/domain/campaigns/sent-mails";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import type { CampaignFigures } from "@/lib/domain/campaigns/stats-schema";
import { brandColumns } from "@/lib/domain/opt-outs/brand";
import type { ProjectBrand } from "@/lib/domain/opt-outs/schema";
import { systemContext, type Context } from "@/lib/ground/context";
import { isAppError, notFound } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { SharedReading } from "@/lib/ground/shared-reading";
import { inspect, renderOne } from "@/lib/mail/content/rendering";
import type { OpenedReport } from "./links";
import { withoutSmallGroups, type ProviderRow } from "./small-groups";
import { clicksAsWritten, type WrittenLink } from "./written-links";

/** A mail as nobody in particular would get it: where a placeholder has a fallback, with that. */
export interface ShownMail {
  /** A, B ...; A where there is no test. */
  variant: string;
  subject: string;
  previewText: string;
  fromName: string;
  /** One of the two is there, unless it cannot be shown without somebody's data. */
  html: string | null;
  text: string | null;
}

/** What a campaign's report says: sums and what the author wrote, nothing of any one recipient. */
export interface CampaignReport extends Pick<
  CampaignProgress,
  "name" | "status" | "test" | "startedAt" | "finishedAt" | "audienceComplete"
> {
  brand: ProjectBrand;
  /** IANA name: whose clock its times are in. */
  timeZone: string;
  figures: CampaignFigures;
  links: WrittenLink[];
  activity: ActivityBuckets;
  abTest: AbTestResult | null;
  /** Empty where it would tell of single people; null: it could not be read. */
  providers: ProviderRow[] | null;
  mails: ShownMail[];
  /** ISO 8601: as of when. */
  readAt: string;
}

/** Characters of mail kept in memory, over all reports. */
const keptCharacters = 32_000_000;
/** Everybody who has a link reads the same. Whether the link still opens is looked up each time. */
const keptMilliseconds = 20_000;

const kept = new SharedReading<CampaignReport>({
  maxSize: keptCharacters,
  ttl: keptMilliseconds,
  sizeCalculation: ({ mails }) =>
    mails.reduce((sum, { html, text }) => sum + (html?.length ?? 0) + (text?.length ?? 0), 10_000),
});

type Variables = Record<string, unknown>;

/** A template without anybody's data; null when it is at fault or cannot be rendered so. */
async function rendered(
  ctx: Context,
  source: string,
  kind: "html" | "subject" | "text",
  variables: Variables,
): Promise<string | null> {
  try {
    return (await renderOne(ctx.projectId, { source, kind, path: kind }, variables)).rendered;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

async function showMail(
  ctx: Context,
  mail: VariantContent,
  index: number,
  variables: Variables,
): Promise<ShownMail> {
  const { html, text } = mail;
  const line = async (source: string) =>
    (await rendered(ctx, source, "subject", variables)) ?? source;
  return {
    variant: variantNames[index] ?? "A",
    subject: await line(mail.subject),
    previewText: await line(mail.previewText),
    fromName: mail.fromName,
    html: html === null ? null : await rendered(ctx, html, "html", variables),
    text: html !== null || text === null ? null : await rendered(ctx, text, "text", variables),
  };
}

/** The addresses in a mail's source, with their placeholders. */
async function hrefsOf(ctx: Context, { html }: VariantContent): Promise<string[]> {
  if (html === null) return [];
  try {
    const { links } = await inspect(ctx.projectId, html);
    return links.flatMap(({ url }) => url ?? []);
  } catch (error) {
    if (isAppError(error)) return [];
    throw error;
  }
}

/** It reads all of the campaign's mail, and is given up where that takes too long. */
async function readProviders(ctx: Context, id: string): Promise<ProviderRow[] | null> {
  try {
    const { providers, deliveryConfirmed } = await getCampaignBreakdown(ctx, id);
    return withoutSmallGroups(providers, deliveryConfirmed);
  } catch (error) {
    if (isAppError(error) && error.code === "NOT_FOUND") throw error;
    return null;
  }
}

async function readReport(db: Database, opened: OpenedReport): Promise<CampaignReport> {
  const ctx = systemContext(db, opened.projectId);
  const id = encodeId("campaign", opened.campaignId);
  const [brand] = await db
    .select({ ...brandColumns, mailReason: projects.mailReason, readAt: sql<string>`app_now()` })
    .from(projects)
    .where(eq(projects.id, ctx.projectId));
  if (!brand) throw notFound();
  const { mailReason, readAt, ...shownBrand } = brand;
  const campaign = await getCampaignProgress(ctx, id);
  const written = await getCampaignMails(ctx, id);
  const variables = {
    ...{ unsubscribeUrl: "#", preferencesUrl: "#", viewUrl: "#" },
    ...{ postalAddress: brand.postalAddress, mailReason },
  };
  const mails = await Promise.all(written.map((mail, n) => showMail(ctx, mail, n, variables)));
  const hrefs = (await Promise.all(written.map((mail) => hrefsOf(ctx, mail)))).flat();
  const { links, ...figures } = campaign.stats;
  const { name, status, test, startedAt, finishedAt, audienceComplete, abTestResult } = campaign;
  return {
    ...{ name, status, test, startedAt, finishedAt, audienceComplete },
    brand: shownBrand,
    timeZone: campaign.timeZone ?? "UTC",
    figures,
    links: clicksAsWritten(links, hrefs, campaign.utm),
    activity: bucketsOf(await getCampaignActivity(ctx, id)),
    abTest: abTestResult && {
      ...abTestResult,
      variants: abTestResult.variants.map((variant) => ({
        ...variant,
        subject: mails.find((mail) => mail.variant === variant.variant)?.subject ?? "",
      })),
    },
    providers: startedAt === null ? [] : await readProviders(ctx, id),
    mails,
    readAt: new Date(readAt).toISOString(),
  };
}

/** A report that is at most some seconds old. Throws NOT_FOUND when its campaign is gone. */
export const getCampaignReport = (db: Database, opened: OpenedReport): Promise<CampaignReport> =>
  kept.of(`${opened.projectId} ${opened.campaignId}`, () => readReport(db, opened));
