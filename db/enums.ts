/** Closed sets of words used in the database and on the wire. Browser-safe: imports nothing. */
export const emailStatuses = [
  "PENDING",
  "SENT",
  "DELIVERED",
  "OPENED",
  "CLICKED",
  "BOUNCED",
  "COMPLAINED",
  "FAILED",
] as const;
export type EmailStatus = (typeof emailStatuses)[number];

/** How an email ends badly. */
export const emailTroubles = ["BOUNCED", "COMPLAINED", "FAILED"] as const;
export type EmailTrouble = (typeof emailTroubles)[number];

export function isTrouble(status: EmailStatus): status is EmailTrouble {
  return emailTroubles.some((trouble) => trouble === status);
}

/** LIST: what a list itself sends, such as the request to confirm. */
export const emailSources = ["TRANSACTIONAL", "CAMPAIGN", "LIST"] as const;
export type EmailSource = (typeof emailSources)[number];

export const emailEventNames = [
  "queued",
  "sent",
  "deferred",
  "delivered",
  "opened",
  "clicked",
  "bounced",
  "complained",
  "failed",
  "suppressed",
  "unsubscribed",
] as const;
export type EmailEventName = (typeof emailEventNames)[number];

/** Why mail came back, in the words of the field. Only `invalid_address` says that the address is no good. */
export const bounceClasses = [
  "invalid_address",
  "mailbox_full",
  "reputation",
  "policy",
  "content",
  "too_large",
  "unreachable",
  "other",
] as const;
export type BounceClass = (typeof bounceClasses)[number];

/** never: made implicitly by a send, has not been asked. Only `subscribed` gets campaign mail. */
export const consents = ["never", "subscribed", "unsubscribed"] as const;
export type Consent = (typeof consents)[number];

/** Which of a person's choices a row of their history is about. */
export const consentKinds = [
  "subscription",
  "topic",
  "pause",
  "frequency",
  "name",
  "address",
] as const;
export type ConsentKind = (typeof consentKinds)[number];

/** The reasons people may give for leaving. */
export const leaveReasons = ["too_often", "not_relevant", "never_asked", "other"] as const;

/** What people left. */
export const departureScopes = ["everything", "list", "topic"] as const;
/** What departures are counted by. */
export const departureParts = [
  "day",
  "reason",
  "origin",
  "campaign",
  "list",
  "topic",
  "form",
] as const;

/** What people ask for and confirm by mail. */
export const personRequestKinds = ["address", "download", "erase"] as const;
export type PersonRequestKind = (typeof personRequestKinds)[number];

/** What changes a subscription: a member, a program, the contact, a file or a report. */
export const consentOrigins = [
  "user",
  "apiKey",
  "platformToken",
  "link",
  "oneClick",
  "confirmation",
  "import",
  "complaint",
  "system",
] as const;
export type ConsentOrigin = (typeof consentOrigins)[number];

export const roleNames = ["viewer", "editor", "admin", "owner"] as const;
export type Role = (typeof roleNames)[number];

export const keyScopes = ["full", "sending"] as const;
export type KeyScope = (typeof keyScopes)[number];
/** What somebody allows an assistant to do. */
export const assistantScopes = ["full", "read", "sending"] as const;
export type AssistantScope = (typeof assistantScopes)[number];
/** What an assistant presents: once for a code, hourly for access, once for the next pair. */
export const assistantTokenKinds = ["code", "access", "refresh"] as const;
export type AssistantTokenKind = (typeof assistantTokenKinds)[number];
export const keyModes = ["live", "test"] as const;
export type KeyMode = (typeof keyModes)[number];

export const domainStatuses = ["PENDING", "VERIFIED", "FAILED"] as const;
export type DomainStatus = (typeof domainStatuses)[number];

export const recordPurposes = [
  "DKIM",
  "SPF",
  "DMARC",
  "RETURN_PATH",
  "INBOUND",
  "TLS_RPT",
  "TRACKING",
] as const;
export type RecordPurpose = (typeof recordPurposes)[number];

/** Kinds of fault that a look-up of a DNS record finds; each needs a different remedy. */
export const recordProblems = ["missing", "different", "several", "unreachable"] as const;
export type RecordProblem = (typeof recordProblems)[number];

/** How far Amazon SES has come with an identity, its DKIM key or its MAIL FROM domain, in its own words. */
export const sesStatuses = [
  "NOT_STARTED",
  "PENDING",
  "SUCCESS",
  "TEMPORARY_FAILURE",
  "FAILED",
] as const;
export type SesStatus = (typeof sesStatuses)[number];

/**
 * Why Amazon SES did not do what was asked. denied: the key is not good, or may not. throttled: too many requests.
 * unreachable: no answer, or its own trouble. refused: anything else.
 */
export const sesFaultKinds = ["denied", "throttled", "unreachable", "refused"] as const;
export type SesFaultKind = (typeof sesFaultKinds)[number];

/** What a check of where mail comes from may find (RFC 8601, section 2.7). */
export const authResults = [
  "pass",
  "fail",
  "softfail",
  "neutral",
  "none",
  "policy",
  "temperror",
  "permerror",
] as const;
export type AuthResult = (typeof authResults)[number];

/** Why nothing is sent to an address. */
export const addressSuppressionReasons = ["hard_bounce", "complaint", "manual"] as const;
export type AddressSuppressionReason = (typeof addressSuppressionReasons)[number];
/** The same, plus the only reason that a suppressed domain has. */
export const suppressionReasons = [...addressSuppressionReasons, "domain"] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** How a suppression came about. */
export const suppressionSources = [
  "bounce",
  "complaint",
  "added",
  "import",
  "merge",
  "restored",
] as const;

/** Why a person did not get what was addressed to them: `reason` of a `suppressed` event. */
export const refusalReasons = [
  ...suppressionReasons,
  "unsubscribed",
  "deleted",
  "paused",
  "left_topic",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Why an email ended FAILED without a refusal: `reasonCode` of its `failed` event. */
export const failureReasons = [
  "cancelled",
  "campaign_cancelled",
  "campaign_failed",
  "contact_deleted",
  "message_deleted",
  "sender_domain_deleted",
  "content_invalid",
  "sender_refused",
  "too_late",
  "unfinished",
  "internal_error",
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** What a project keeps for a number of days that it can set. */
export const keptKinds = [
  ...(["emails", "contents", "events", "links", "captured"] as const),
  ...(["received", "webhookDeliveries", "audit", "reports"] as const),
] as const;
export type KeptKind = (typeof keptKinds)[number];

export const loginTokenPurposes = [
  "login",
  "password_reset",
  "invitation",
  "second_factor",
] as const;
export type LoginTokenPurpose = (typeof loginTokenPurposes)[number];

/** What somebody signs in with, before the code of their authenticator app where they have one. */
export const firstFactors = [
  "password",
  "link",
  "invitation",
  "platformToken",
  "identity",
] as const;
export type FirstFactor = (typeof firstFactors)[number];

export const subscriberStatuses = [
  "subscribed",
  "unsubscribed",
  "unconfirmed",
  "bounced",
  "complained",
] as const;
export type SubscriberStatus = (typeof subscriberStatuses)[number];
export const subscriberSources = ["added", "api", "import", "form"] as const;
export type SubscriberSource = (typeof subscriberSources)[number];
export const listFieldTypes = ["text", "number", "datetime", "dropdown", "checkbox"] as const;

export const exportStates = ["RUNNING", "DONE", "CANCELLED", "FAILED"] as const;

export const importStatuses = ["STAGING", "PENDING", "RUNNING", "COMPLETED", "FAILED"] as const;

export const campaignStatuses = [
  "DRAFT",
  "SCHEDULED",
  "SENDING",
  "PAUSED",
  "SENT",
  "CANCELLED",
  "FAILED",
] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

/** What decides which variant of an A/B test is best: people who opened, or people who clicked. */
export const winnerMetrics = ["opens", "clicks"] as const;
export type WinnerMetric = (typeof winnerMetrics)[number];

/** The names people use for the variants of an A/B test, in order. */
export const variantNames = ["A", "B", "C", "D", "E"] as const;
export type VariantName = (typeof variantNames)[number];

export const webhookDeliveryStatuses = ["PENDING", "DELIVERED", "FAILED"] as const;
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number];

/** What is at the other end of a sending connection: a mail server, or a provider's HTTP API. */
export const connectionKinds = [
  "smtp",
  "mx",
  "ses",
  "resend",
  "postmark",
  "mailgun",
  "sendgrid",
] as const;
/** The kinds that are a provider's API. */
export type ProviderKind = Exclude<ConnectionKind, "smtp" | "mx">;
export type ConnectionKind = (typeof connectionKinds)[number];

/** unreachable: no session can be had. refused: it does not accept the password or key. */
export const connectionFaults = ["unreachable", "refused"] as const;
export type ConnectionFault = (typeof connectionFaults)[number];

/** What members of a project may be told about by mail, as each of them likes. */
export const teamLetterKinds = [
  "campaignSent",
  "campaignStopped",
  "domainFailed",
  "mailReplaced",
  "sendingHeld",
  "webhookDisabled",
  "weeklySummary",
  "workFailed",
] as const;
export type TeamLetterKind = (typeof teamLetterKinds)[number];

/** What a custom attribute of contacts holds, as a project has said. */
export const contactFieldKinds = ["text", "number", "boolean", "date"] as const;
export type ContactFieldKind = (typeof contactFieldKinds)[number];

/** What is done to every contact of a project, or to all that match, in the background. */
export const bulkActions = [
  "rename_field",
  "remove_field",
  "rename_tag",
  "remove_tag",
  "tag",
  "untag",
  "join_list",
  "leave_list",
  "unsubscribe",
  "delete",
] as const;
export type BulkAction = (typeof bulkActions)[number];

export const bulkStatuses = ["PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"] as const;

/**
 * Why a bulk change passed somebody over. `gone`: deleted meanwhile. `tagLimit`: they have as many tags as anybody may.
 * `unsubscribed`: from everything. `leftList`: they left that list before, or mail to them bounced.
 */
export const bulkRefusals = ["gone", "tagLimit", "unsubscribed", "leftList"] as const;
export type BulkRefusal = (typeof bulkRefusals)[number];

/** The list pages whose filters and order members save under a name. */
export const savedViewPages = [
  "contacts",
  "emails",
  "campaigns",
  "subscribers",
  "suppressions",
] as const;
export type SavedViewPage = (typeof savedViewPages)[number];

/** What a project's people set a goal for, of what Overview knows, in the order it is shown. */
export const goalFigures = [
  "newContacts",
  "sent",
  "openRate",
  "clickRate",
  "bounceRate",
  "unsubscribeRate",
] as const;
export type GoalFigure = (typeof goalFigures)[number];

/** Calendar periods, the shortest first; names that date_trunc knows. */
export const goalPeriods = ["week", "month", "quarter"] as const;
export type GoalPeriod = (typeof goalPeriods)[number];

/**
 * Of a project on its way to another database. Where it leaves: `copying` and `draining` (no mail is begun) it is
 * used as ever; `closing` and `closed` nobody is let in; `moved` it is somewhere else. Where it comes to: `arriving`,
 * `arrived`.
 */
export type MoveState =
  | "copying"
  | "draining"
  | "closing"
  | "closed"
  | "moved"
  | "arriving"
  | "arrived";
