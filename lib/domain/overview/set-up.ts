import { sql } from "drizzle-orm";
import { apiKeys, campaigns, contacts, domains, emails, messages } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import type { Overview } from "./schema";

/** Of so many emails, one is looked for that was sent for real: messages are not to be found by their domain. */
const recentMail = 1_000;
/** Among so many messages of campaigns, one is looked for that was a test. */
const recentCampaignMail = 100;

interface SetUpRow extends Record<string, unknown> {
  contacts: boolean;
  campaign: string | null;
  campaign_test: boolean;
  api_key: boolean;
  verified_domain: string | null;
  open_domain: string | null;
  first_email: string | null;
  real_send: boolean;
}

/** How far a project is on its way to the first real send. */
export async function readSetUp(ctx: Context): Promise<Overview["setUp"]> {
  // One contact by the order that only an index by project has: else all of another project's may be read first.
  // A test of a campaign has the campaign's message, and is no email of the campaign.
  const [row] = await ctx.db.execute<SetUpRow>(sql`
    select
      exists (
        select from (
          select from ${contacts} where ${contacts.projectId} = ${ctx.projectId}
          order by lower(${contacts.email}) limit 1
        ) first
      ) as contacts,
      (select ${campaigns.id} from ${campaigns}
        where ${campaigns.projectId} = ${ctx.projectId}
        order by ${campaigns.id} desc limit 1) as campaign,
      exists (
        select from (
          select ${messages.id}, ${messages.campaignId} from ${messages}
          where ${messages.projectId} = ${ctx.projectId} and ${messages.campaignId} is not null
          order by ${messages.createdAt} desc limit ${recentCampaignMail}
        ) recent cross join lateral (
          select from ${campaigns}
          where ${campaigns.id} = recent.campaign_id
            and ${campaigns.messageId} is distinct from recent.id
            and recent.id <> all (coalesce(${campaigns.variantMessageIds}, '{}')) limit 1
        ) its_own
      ) as campaign_test,
      exists (
        select from ${apiKeys}
        where ${apiKeys.projectId} = ${ctx.projectId} and ${apiKeys.revokedAt} is null
      ) as api_key,
      (select ${domains.name} from ${domains}
        where ${domains.projectId} = ${ctx.projectId} and ${domains.status} = 'VERIFIED'
          and not ${domains.builtIn}
        order by ${domains.id} limit 1) as verified_domain,
      (select ${domains.id} from ${domains}
        where ${domains.projectId} = ${ctx.projectId} and ${domains.status} <> 'VERIFIED'
          and not ${domains.builtIn}
        order by ${domains.id} desc limit 1) as open_domain,
      (select ${emails.id} from ${emails}
        where ${emails.projectId} = ${ctx.projectId}
        order by ${emails.createdAt}, ${emails.id} limit 1) as first_email,
      exists (
        select from (
          select ${emails.messageId}, ${emails.campaignId} from ${emails}
          where ${emails.projectId} = ${ctx.projectId}
          order by ${emails.createdAt} desc, ${emails.id} desc limit ${recentMail}
        ) recent cross join lateral (
          select ${messages.domainId} from ${messages}
          where ${messages.id} = recent.message_id and not ${messages.test}
            and (${messages.campaignId} is null or recent.campaign_id is not null) limit 1
        ) content join ${domains} on ${domains.id} = content.domain_id
        where ${domains.projectId} = ${ctx.projectId} and not ${domains.builtIn}
      ) as real_send`);
  if (!row) throw new Error("A select without a table gave no row.");
  return {
    contacts: row.contacts,
    campaignId: row.campaign ? encodeId("campaign", row.campaign) : null,
    campaignTest: row.campaign_test,
    apiKey: row.api_key,
    verifiedDomain: row.verified_domain,
    openDomainId: row.open_domain ? encodeId("domain", row.open_domain) : null,
    firstEmailId: row.first_email ? encodeId("email", row.first_email) : null,
    realSend: row.real_send,
  };
}
