import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import * as tables from "./schema";

/*
 * Every table with rows of a project, children before the parents that they have foreign keys to: in this order
 * a project is deleted (lib/engine/jobs/delete-projects.ts), and in the opposite one moved (bin/move).
 */

type Owned = PgTable & { projectId: PgColumn };
type Parent = Owned & { id: PgColumn };

/** A table, and how a project's rows in it are found. */
export interface ProjectTable {
  table: PgTable;
  /** Their project; with `parent`, the parent's id. */
  by: PgColumn;
  /** A table in which a project has few rows, or whose rows have these with them. */
  parent?: Parent;
}

const own = (table: Owned): ProjectTable => ({ table, by: table.projectId });
const under = (parent: Parent, table: PgTable, by: PgColumn): ProjectTable => ({
  ...{ table, by, parent },
});

/** What would still reach somebody outside, or write more rows, but for mail that waits; what says where mail comes from. */
export const beforeMail: readonly ProjectTable[] = [
  under(tables.contactImports, tables.contactImportRows, tables.contactImportRows.importId),
  own(tables.contactImports),
  under(tables.bulkChanges, tables.bulkChangeChunks, tables.bulkChangeChunks.changeId),
  own(tables.bulkChanges),
  own(tables.contactSurveys),
  own(tables.contactFields),
  under(tables.webhooks, tables.webhookDeliveries, tables.webhookDeliveries.webhookId),
  own(tables.inboundRoutes),
  own(tables.webhooks),
  own(tables.formSignUps),
  under(tables.forms, tables.formFigures, tables.formFigures.formId),
  own(tables.formDepartures),
  own(tables.forms),
  under(tables.domainReports, tables.dmarcRows, tables.dmarcRows.reportId),
  under(tables.domainReports, tables.tlsReportRows, tables.tlsReportRows.reportId),
  own(tables.domainReports),
  ...[
    tables.warmupHours,
    tables.warmupReceiverHours,
    tables.warmupReceivers,
    tables.warmupDays,
    tables.warmups,
  ].map((table) => under(tables.domains, table, table.domainId)),
  own(tables.senderPauses),
  own(tables.domains),
  own(tables.trackingHosts),
  own(tables.capturedEmails),
  under(tables.inboundEmails, tables.inboundReplies, tables.inboundReplies.inboundId),
  own(tables.inboundEmails),
];

/** They go with their message; what is left of one is looked for after it. */
export const withMessage: readonly ProjectTable[] = [
  own(tables.messageAttachments),
  own(tables.relayedMessages),
  own(tables.mailAboutContacts),
];

/** Has no foreign keys but those to a message, and is deleted by statements of its own. */
const mailTables: readonly ProjectTable[] = [
  own(tables.emailQueue),
  own(tables.emailEvents),
  under(tables.emails, tables.linkClicks, tables.linkClicks.emailId),
  own(tables.emails),
  under(tables.links, tables.linkFigures, tables.linkFigures.linkId),
  own(tables.links),
  ...withMessage,
  own(tables.messages),
];

export const afterMail: readonly ProjectTable[] = [
  own(tables.attachmentBlobs),
  under(tables.lists, tables.subscribers, tables.subscribers.listId),
  under(tables.lists, tables.listFields, tables.listFields.listId),
  under(tables.lists, tables.listFigures, tables.listFigures.listId),
  own(tables.lists),
  under(tables.topics, tables.topicDepartures, tables.topicDepartures.topicId),
  own(tables.topics),
  own(tables.mergedContacts),
  own(tables.contacts),
  own(tables.contactChanges),
  own(tables.contactNotes),
  own(tables.erasedContacts),
  own(tables.suppressions),
  own(tables.forgottenAddresses),
  own(tables.consentChanges),
  own(tables.consentTexts),
  own(tables.departureFigures),
  own(tables.departureTotals),
  own(tables.segments),
  under(tables.templates, tables.templateVersions, tables.templateVersions.templateId),
  own(tables.templates),
  own(tables.savedBlocks),
  own(tables.presences),
  own(tables.campaignVersions),
  own(tables.campaigns),
  own(tables.hourlyFigures),
  own(tables.monthlyUsage),
  own(tables.projectEvents),
  own(tables.idempotencyKeys),
  own(tables.auditLog),
  own(tables.projectPaces),
];

/** Few rows each, which go with the project's own by their foreign keys. */
const withProject: readonly ProjectTable[] = [
  own(tables.files),
  own(tables.deletedRows),
  own(tables.personRequests),
  own(tables.reportLinks),
  own(tables.goals),
  under(tables.domains, tables.sesIdentities, tables.sesIdentities.domainId),
  own(tables.sendingConnections),
  own(tables.teamLetters),
  own(tables.apiKeys),
  own(tables.platformTokens),
  own(tables.assistantTokens),
  own(tables.assistants),
  own(tables.savedViews),
  own(tables.templateDrafts),
  own(tables.invitations),
  own(tables.memberships),
];

/** All of them; `projects` itself, the parent of all, is not among them. */
export const projectTables: readonly ProjectTable[] = [
  ...withProject,
  ...beforeMail,
  ...mailTables,
  ...afterMail,
];
