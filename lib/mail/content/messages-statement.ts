import { sql, type SQL } from "drizzle-orm";
import {
  attachmentBlobs,
  campaigns,
  domains,
  lists,
  messageAttachments,
  messages,
  projects,
  relayedMessages,
  sendingConnections,
} from "@/db/schema";
import type { UtmParameters } from "@/db/schema/campaigns";
import type { ListContact } from "@/db/schema/lists";

export interface AttachmentRow {
  sha256: string;
  filename: string;
  contentType: string;
  contentId: string | null;
  size: number;
}

export interface MessageRow extends Record<string, unknown> {
  id: string;
  project_id: string;
  from_email: string;
  from_name: string;
  reply_to: string | null;
  subject: string;
  html: string | null;
  text: string | null;
  liquid: boolean;
  headers: Record<string, string> | null;
  data: Record<string, unknown> | null;
  test: boolean;
  domain_id: string;
  domain: string | null;
  reads_returns: boolean;
  built_in: boolean | null;
  /** null: APP_URL's. */
  tracking_host: string | null;
  selector: string | null;
  dkim_private_key_sealed: string | null;
  connection_id: string | null;
  campaign_id: string | null;
  list_id: string | null;
  list_name: string | null;
  list_contact: ListContact | null;
  postal_address: string | null;
  language: string | null;
  project_name: string | null;
  mail_reason: string | null;
  preview_text: string | null;
  utm: UtmParameters | null;
  track_opens: boolean | null;
  track_clicks: boolean | null;
  relayed: boolean;
  header_id: string | null;
  client: string | null;
  attachments: AttachmentRow[] | null;
}

/** A message's attachments in order, as JSON, without their content. */
const attachmentsOfMessage = sql`(
  select jsonb_agg(
    jsonb_build_object(
      'sha256', encode(${messageAttachments.sha256}, 'hex'),
      'filename', ${messageAttachments.filename},
      'contentType', ${messageAttachments.contentType},
      'contentId', ${messageAttachments.contentId},
      'size', octet_length(${attachmentBlobs.content})
    ) order by ${messageAttachments.position})
  from ${messageAttachments} join ${attachmentBlobs}
    on ${attachmentBlobs.projectId} = ${messageAttachments.projectId}
    and ${attachmentBlobs.sha256} = ${messageAttachments.sha256}
  where ${messageAttachments.messageId} = ${messages.id}
)`;

/**
 * Messages by their uuids, but for those whose content was deleted, with what their domain, project, list and campaign
 * say about them.
 */
export const messagesStatement = (ids: readonly string[]): SQL => sql`
    select ${messages.id}, ${messages.projectId}, ${messages.fromEmail}, ${messages.fromName},
      ${messages.replyTo}, ${messages.subject}, ${messages.html}, ${messages.text},
      ${messages.liquid}, ${messages.headers}, ${messages.data}, ${messages.test},
      ${messages.domainId}, ${messages.campaignId}, ${messages.previewText}, ${messages.utm},
      coalesce(${messages.trackOpens}, ${domains.trackOpens}) as track_opens,
      coalesce(${messages.trackClicks}, ${domains.trackClicks}) as track_clicks,
      ${domains.name} as domain, ${domains.builtIn}, ${domains.selector},
      case when ${domains.trackingSince} is not null then ${domains.trackingHost} end as tracking_host,
      coalesce((${domains.checks} -> 'RETURN_PATH' ->> 'ok')::boolean, false) as reads_returns,
      ${domains.dkimPrivateKeySealed},
      coalesce(${domains.connectionId}, ${sendingConnections.id}) as connection_id,
      ${lists.id} as list_id, ${lists.name} as list_name, ${lists.contact} as list_contact,
      ${projects.postalAddress}, ${projects.language}, ${projects.mailReason},
      ${projects.name} as project_name, ${relayedMessages.messageId} is not null as relayed,
      ${relayedMessages.headerId}, ${relayedMessages.client},
      ${attachmentsOfMessage} as attachments
    from ${messages}
      left join ${projects} on ${projects.id} = ${messages.projectId}
      left join ${domains} on ${domains.id} = ${messages.domainId}
        and ${domains.projectId} = ${messages.projectId}
      left join ${sendingConnections} on ${sendingConnections.projectId} = ${messages.projectId}
        and ${sendingConnections.standard}
      left join ${campaigns} on ${campaigns.id} = ${messages.campaignId}
        and ${campaigns.projectId} = ${messages.projectId}
      left join ${lists} on ${lists.id} = ${campaigns.listId}
        and ${lists.projectId} = ${messages.projectId}
      left join ${relayedMessages} on ${relayedMessages.messageId} = ${messages.id}
    where ${messages.id} = any(${sql.param(ids)}::uuid[]) and ${messages.contentDeletedAt} is null`;
