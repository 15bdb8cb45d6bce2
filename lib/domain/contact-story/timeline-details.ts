import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import {
  apiKeys,
  campaigns,
  consentChanges,
  consentTexts,
  contactChanges,
  contactImports,
  emails,
  forms,
  formSignUps,
  inboundEmails,
  linkClicks,
  links,
  lists,
  mergedContacts,
  messages,
  topics,
  users,
} from "@/db/schema";

const later = alias(contactChanges, "later");

/** The names of whoever and whatever a change names. */
const named = (change: typeof consentChanges | typeof contactChanges) => ({
  names: sql`'person', ${users.email}, 'key', ${apiKeys.name}, 'file', ${contactImports.filename},
      'form', ${forms.name}`,
  joins: sql`
    left join ${users} on ${users.id} = ${change.actorId}
      and ${change.origin} in ('user', 'platformToken')
    left join ${apiKeys} on ${apiKeys.id} = ${change.actorId} and ${change.origin} = 'apiKey'
    left join ${contactImports} on ${contactImports.id} = ${change.importId}
    left join ${forms} on ${forms.id} = ${change.formId}`,
});

const email = sql`
    select jsonb_build_object('subject', coalesce(${emails.subject}, ${messages.subject}, ''),
      'status', ${emails.status}, 'campaignId', ${emails.campaignId}, 'campaign', ${campaigns.name},
      'times', case entry.type when 'opened' then ${emails.opens} when 'clicked' then (
        select ${linkClicks.clicks} from ${linkClicks}
        where ${linkClicks.emailId} = entry.ref and ${linkClicks.linkId} = entry.link) end,
      'url', (select ${links.url} from ${links} where entry.type = 'clicked' and ${links.id} = entry.link)
    ) as details
    from ${emails} left join ${messages} on ${messages.id} = ${emails.messageId}
      left join ${campaigns} on ${campaigns.id} = ${emails.campaignId}
    where entry.type in ('email', 'bounced', 'complained', 'opened', 'clicked') and ${emails.id} = entry.ref`;

function subscription(projectId: string): SQL {
  const { names, joins } = named(consentChanges);
  return sql`
    select jsonb_build_object('kind', ${consentChanges.kind}, 'before', ${consentChanges.before},
      'after', ${consentChanges.after}, 'until', ${consentChanges.until}, 'reason', ${consentChanges.reason},
      'comment', ${consentChanges.comment}, 'ipAddress', ${consentChanges.ipAddress},
      'userAgent', ${consentChanges.userAgent}, 'origin', ${consentChanges.origin},
      'actorId', ${consentChanges.actorId}, 'emailId', ${consentChanges.emailId},
      'importId', ${consentChanges.importId}, 'formId', ${consentChanges.formId},
      'listId', ${consentChanges.listId}, 'topicId', ${consentChanges.topicId}, 'list', ${lists.name},
      'topic', ${topics.name}, 'text', ${consentTexts.text}, ${names}) as details
    from ${consentChanges} ${joins}
      left join ${lists} on ${lists.id} = ${consentChanges.listId}
      left join ${topics} on ${topics.id} = ${consentChanges.topicId}
      left join ${consentTexts} on ${consentTexts.projectId} = ${consentChanges.projectId}
        and ${consentTexts.hash} = ${consentChanges.textHash}
    where entry.type = 'subscription' and ${consentChanges.projectId} = ${projectId}
      and ${consentChanges.contactId} = any(asked.contact_ids) and ${consentChanges.id} = entry.ref`;
}

function change(): SQL {
  const { names, joins } = named(contactChanges);
  return sql`
    select jsonb_build_object('before', ${contactChanges.before}, 'after', ${contactChanges.after},
      'origin', ${contactChanges.origin}, 'actorId', ${contactChanges.actorId},
      'importId', ${contactChanges.importId}, 'formId', ${contactChanges.formId},
      'undoes', ${contactChanges.undoes}, 'contactId', ${contactChanges.contactId}, 'undone', exists (
        select from ${contactChanges} later where ${later.undoes} = entry.ref), ${names}) as details
    from ${contactChanges} ${joins}
    where entry.type = 'changed' and ${contactChanges.contactId} = any(asked.contact_ids)
      and ${contactChanges.createdAt} = entry.at and ${contactChanges.id} = entry.ref`;
}

const signUp = sql`
    select jsonb_build_object('formId', ${formSignUps.formId}, 'form', ${forms.name},
      'confirmedAt', ${formSignUps.confirmedAt}) as details
    from ${formSignUps} left join ${forms} on ${forms.id} = ${formSignUps.formId}
    where entry.type = 'signed_up' and ${formSignUps.id} = entry.ref`;

const received = sql`
    select jsonb_build_object('subject', ${inboundEmails.subject}) as details from ${inboundEmails}
    where entry.type = 'received' and ${inboundEmails.id} = entry.ref`;

const merged = sql`
    select jsonb_build_object('email', ${mergedContacts.email}, 'origin', ${mergedContacts.origin},
      'actorId', ${mergedContacts.actorId}, 'person', ${users.email}, 'key', ${apiKeys.name}) as details
    from ${mergedContacts}
      left join ${users} on ${users.id} = ${mergedContacts.actorId}
        and ${mergedContacts.origin} in ('user', 'platformToken')
      left join ${apiKeys} on ${apiKeys.id} = ${mergedContacts.actorId} and ${mergedContacts.origin} = 'apiKey'
    where entry.type = 'merged' and ${mergedContacts.contactId} = entry.ref`;

/** What a row of `entry` is about, for a lateral join beside `asked`, which has the contact's ids. */
export const detailsOf = (projectId: string): SQL =>
  sql.join([email, subscription(projectId), change(), signUp, received, merged], sql` union all `);
