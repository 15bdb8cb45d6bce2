import { apiKeyOperations } from "./api-keys";
import { assistantOperations } from "./assistants";
import { attachmentOperations } from "./attachments";
import { auditOperations } from "./audit";
import { campaignCalendarOperation } from "./campaign-calendar";
import { campaignReportOperations } from "./campaign-reports";
import { campaignVersionOperations } from "./campaign-versions";
import { campaignOperations } from "./campaigns";
import { capturedOperations } from "./captured";
import { connectionOperations } from "./connections";
import { contactExportOperations } from "./contact-exports";
import { contactFieldOperations } from "./contact-fields";
import { contactMergeOperations } from "./contact-merges";
import { contactStoryOperations } from "./contact-story";
import { contactOperations } from "./contacts";
import { dmarcOperation } from "./dmarc";
import { domainOperations } from "./domains";
import { emailContentOperations, emailDetailsOperation } from "./email-content";
import { emailOperations } from "./emails";
import { eventOperation } from "./events";
import { exportOperations } from "./exports";
import { savedBlockOperations } from "./saved-blocks";
import { searchOperations } from "./search";
import { fileOperations } from "./files";
import { importOperations } from "./imports";
import { goalOperations } from "./goals";
import { inboundOperations } from "./inbound";
import { inboundRouteOperations } from "./inbound-routes";
import { formOperations } from "./forms";
import { listOperations } from "./lists";
import { overviewOperations } from "./overview";
import { identityOperations } from "./identities";
import { memberOperations } from "./members";
import { passkeyOperations } from "./passkeys";
import { platformTokenOperations } from "./platform-token";
import { presenceOperations } from "./presence";
import { projectOperations } from "./project";
import { segmentOperations } from "./segments";
import { savedViewOperations } from "./saved-views";
import { sendingOperations } from "./sending";
import { secondFactorOperations } from "./second-factor";
import { sessionOperations } from "./sessions";
import { teamLetterOperations } from "./team-letters";
import { suppressionOperations } from "./suppressions";
import { templateDraftOperations } from "./template-drafts";
import { templateOperations } from "./templates";
import { topicOperations } from "./topics";
import { webhookDeliveryOperations } from "./webhook-deliveries";
import { webhookOperations } from "./webhooks";

/** Every operation of the bearer surface. What is not in here does not exist. */
export const bearerOperations = [
  emailDetailsOperation,
  ...emailOperations,
  ...emailContentOperations,
  ...attachmentOperations,
  ...capturedOperations,
  ...importOperations,
  ...contactExportOperations,
  ...exportOperations,
  ...contactFieldOperations,
  ...contactOperations,
  ...contactStoryOperations,
  ...contactMergeOperations,
  ...segmentOperations,
  campaignCalendarOperation,
  ...campaignOperations,
  ...campaignReportOperations,
  ...campaignVersionOperations,
  ...templateOperations,
  ...templateDraftOperations,
  ...savedBlockOperations,
  ...presenceOperations,
  ...topicOperations,
  ...formOperations,
  ...domainOperations,
  dmarcOperation,
  ...sendingOperations,
  ...connectionOperations,
  ...apiKeyOperations,
  ...webhookOperations,
  eventOperation,
  ...webhookDeliveryOperations,
  ...overviewOperations,
  ...goalOperations,
  ...projectOperations,
  ...searchOperations,
  ...listOperations,
  ...fileOperations,
  ...platformTokenOperations,
  ...secondFactorOperations,
  ...passkeyOperations,
  ...identityOperations,
  ...memberOperations,
  ...sessionOperations,
  ...teamLetterOperations,
  ...savedViewOperations,
  ...assistantOperations,
  ...auditOperations,
  ...suppressionOperations,
  ...inboundRouteOperations,
  ...inboundOperations,
] as const;

export type BearerOperation = (typeof bearerOperations)[number];
