import { auditActions, type AuditAction } from "@/db/audit-actions";
import { amount, counted } from "@/lib/ground/amount";
import type { AuditEntry } from "./schema";

type Details = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const amountOf = (value: unknown, one: string, many: string): string =>
  typeof value === "number" ? counted(value, one, many) : `some ${many}`;

/** `the tag vip`, or `a tag` where its name was not recorded. */
const named = (kind: "field" | "tag", name: unknown): string =>
  text(name) ? `the ${kind} ${text(name)}` : `a ${kind}`;
const renamedTo = (name: unknown): string => (text(name) ? ` to ${text(name)}` : "");

const theList = (name: unknown): string => (text(name) ? `the list ${text(name)}` : "a list");
/** Whom a change in bulk was about; older entries have no figure. */
const chosen = (contacts: unknown): string =>
  typeof contacts === "number"
    ? `${counted(contacts, "contact", "contacts")} at once`
    : "all contacts that matched a filter";

const signedInBy: Readonly<Record<string, string>> = {
  password: "with a password",
  link: "with a one-time link",
  invitation: "by accepting an invitation",
  platformToken: "with a link made by a platform token",
  passkey: "with a passkey",
  identity: "with an account at the identity provider",
};

const secondStep: Readonly<Record<string, string>> = {
  code: " and a code of the authenticator app",
  recoveryCode: " and a recovery code",
};

const linkFaults: Readonly<Record<string, string>> = {
  used: "that had been used before",
  expired: "that had expired",
  otherPurpose: "made for something else",
};

const consentBefore: Readonly<Record<string, string>> = {
  subscribed: "subscribed",
  unsubscribed: "unsubscribed",
  never: "never subscribed",
};

const asRole = (role: unknown): string => text(role) && ` as ${text(role)}`;
const wasRole = (role: unknown): string => text(role) && ` (was ${text(role)})`;

const wasBefore = ({ before }: Details): string => {
  const state = consentBefore[text(before)];
  return state ? ` (was ${state})` : "";
};

/** Whom a suppression concerns. */
const suppressedSubject = ({ contact, domain, email }: Details): string => {
  if (text(domain)) return `everybody at ${text(domain)}`;
  return contact === false ? text(email) || "an address that is no contact’s" : "{}";
};

const suppressedFor: Readonly<Record<string, string>> = {
  hard_bounce: ", which had bounced",
  complaint: ", which had reported spam",
};

const refusedBy: Readonly<Record<string, string>> = {
  password: " with a wrong password",
  secondFactor: " with the first step right and a wrong code",
  passkey: " with a passkey that was not accepted",
};

const identityFaults: Readonly<Record<string, string>> = {
  unverified: " whose address is not confirmed there",
  foreign: " whose address may not sign in that way",
  taken: " that is not theirs",
};

const providerNamed = (name: unknown): string => text(name) || "an identity provider";

const passkeyNamed = (name: unknown): string =>
  text(name) ? `the passkey ${text(name)}` : "a passkey";

/** What was done, after the name of who did it; `{}` stands for what it was done to. */
const predicates: Readonly<Record<AuditAction, string | ((details: Details) => string)>> = {
  "start.session": ({ by, second }) =>
    `signed in ${signedInBy[text(by)] ?? ""}${secondStep[text(second)] ?? ""}`.trimEnd(),
  "refuse.session": ({ by, purpose, reason }) =>
    by === "link"
      ? `${text(purpose) === "password_reset" ? "tried to reset the password of" : "tried to sign in as"} {} with a one-time link ${linkFaults[text(reason)] ?? "that does not work"}`
      : by === "account"
        ? "gave a wrong code or password for two-step sign-in"
        : by === "identity"
          ? `tried to sign in as {} with an account at the identity provider${identityFaults[text(reason)] ?? ""}`
          : `tried to sign in as {}${refusedBy[text(by)] ?? ", without success"}`,
  "end.sessions": ({ by, sessions }) =>
    by === "signOut" ? "signed out" : `ended ${amountOf(sessions, "session", "sessions")}`,
  "create.loginToken": "created a one-time sign-in link for {}",
  "request.loginLink": "asked for a sign-in link for {}",
  "request.passwordReset": "asked to reset the password of {}",
  "enable.secondFactor": "switched two-step sign-in on",
  "disable.secondFactor": ({ by }) =>
    by === "operator"
      ? "switched two-step sign-in off for {}, on the server"
      : "switched two-step sign-in off",
  "use.recoveryCode": ({ left }) => `used a recovery code; ${amountOf(left, "is", "are")} left`,
  "renew.recoveryCodes": "made new recovery codes",
  "create.passkey": ({ name }) => `added ${passkeyNamed(name)}`,
  "update.passkey": ({ name }) => `renamed ${passkeyNamed(name)}`,
  "delete.passkey": ({ name }) => `removed ${passkeyNamed(name)}`,
  "link.identity": ({ provider }) =>
    `linked their account at ${providerNamed(provider)} by signing in with it`,
  "unlink.identity": ({ by, provider }) =>
    by === "operator"
      ? `unlinked the account of {} at ${providerNamed(provider)}, on the server`
      : `unlinked their account at ${providerNamed(provider)}`,
  "reset.password": ({ by }) =>
    by === "invitation" ? "set a password after an invitation" : "reset the password by email",
  "invite.user": ({ role, email }) => `invited ${text(email) || "{}"}${asRole(role)}`,
  "withdraw.invitation": ({ email }) => `withdrew the invitation of ${text(email) || "somebody"}`,
  "accept.invitation": ({ role }) => `accepted an invitation${asRole(role)}`,
  "decline.invitation": ({ email }) =>
    `declined an invitation${text(email) && ` sent to ${text(email)}`}`,
  "update.member": ({ role, before }) =>
    `changed the role of {}${text(role) && ` to ${text(role)}`}${wasRole(before)}`,
  "remove.member": ({ left, role }) =>
    `${left === true ? "left the project" : "took {} out of the project"}${wasRole(role)}`,
  "create.user": "made an account by signing up",
  "create.apiKey": ({ scope }) =>
    `created the API key {}${scope === "sending" ? ", which may only send" : ""}`,
  "delete.apiKey": "revoked the API key {}",
  "connect.assistant": ({ scope }) =>
    `connected the assistant {}${scope === "sending" ? ", which may only send" : scope === "read" ? ", which may only read" : ""}`,
  "end.assistant": ({ by }) =>
    by === "reuse"
      ? "disconnected the assistant {}: a token of it was used twice"
      : by === "assistant"
        ? "disconnected itself"
        : by === "passwordReset"
          ? "disconnected the assistant {} by setting a new password"
          : "disconnected the assistant {}",
  "reveal.platformToken": "viewed the platform token",
  "rotate.platformToken": "replaced the platform token",
  "create.connection": "added the sending connection {}",
  "update.connection": "changed the sending connection {}",
  "delete.connection": "deleted the sending connection {}",
  "test.connection": "tested the sending connection {}",
  "create.webhook": "added the webhook {}",
  "update.webhook": "changed the webhook {}",
  "delete.webhook": "deleted the webhook {}",
  "rotate.webhookSecret": "replaced the signing secret of the webhook {}",
  "test.webhook": "sent a test event to the webhook {}",
  "create.inboundRoute": "added the inbound route {}",
  "delete.inboundRoute": "deleted the inbound route {}",
  "delete.inboundEmail": "deleted a message that had come in",
  "replay.webhookDeliveries": "delivered past events to the webhook {} again",
  "retry.webhookDelivery": "retried a delivery to the webhook {}",
  "export.contacts": ({ filters }) =>
    Array.isArray(filters) && filters.some((name) => name !== "columns")
      ? "exported some of the contacts"
      : "exported all contacts",
  "export.refusedRows": "downloaded the refused rows of the import {}",
  "export.auditLog": "exported the audit log",
  "create.project": "created the project {}",
  "resume.domain": "let mail from {} continue",
  "release.mail": "released the mail that was waiting after a restore",
  "update.limit": ({ emails }) =>
    typeof emails === "number"
      ? `limited the project to ${counted(emails, "email", "emails")} a month, on the server`
      : "lifted the project’s monthly limit, on the server",
  "update.pace": ({ emailsPerHour }) =>
    typeof emailsPerHour === "number"
      ? `set the pace of campaigns to ${amount(emailsPerHour)} emails an hour`
      : "removed the limit on the pace of campaigns",
  "update.project": ({ requiresTwoStep }) =>
    requiresTwoStep === undefined
      ? "changed the settings of the project {}"
      : requiresTwoStep === true
        ? "required two-step sign-in for the project {}"
        : "no longer required two-step sign-in for the project {}",
  "delete.project": "deleted the project {}",
  "create.domain": "added the domain {}",
  "update.domain": "changed the settings of the domain {}",
  "verify.domain": ({ status }) =>
    `checked the domain {}${text(status) && `: ${text(status).toLowerCase()}`}`,
  "update.warmup": ({ enabled }) =>
    enabled === false
      ? "turned off the warm-up of the domain {}"
      : "changed the warm-up of the domain {}",
  "delete.domain": "deleted the domain {}",
  "create.contact": "added the contact {}",
  "update.contact": ({ undoes }) =>
    text(undoes) ? "undid a change of the contact {}" : "changed the contact {}",
  "upsert.contacts": ({ created, updated }) =>
    `added ${amountOf(created, "contact", "contacts")} and changed ${amountOf(updated, "contact", "contacts")} in bulk`,
  "subscribe.contact": (details) => `subscribed the contact {}${wasBefore(details)}`,
  "unsubscribe.contact": (details) => `unsubscribed the contact {}${wasBefore(details)}`,
  "merge.contact": "merged another contact into {}",
  "delete.contact": "deleted the contact {}",
  "create.contactNote": "added a note about {}",
  "update.contactNote": "edited a note about {}",
  "delete.contactNote": "deleted a note about {}",
  "create.suppression": (details) => `stopped all mail to ${suppressedSubject(details)}`,
  "delete.suppression": ({ reason, ...details }) =>
    `allowed mail to ${suppressedSubject(details)} again${suppressedFor[text(reason)] ?? ""}`,
  "import.suppressions": ({ added }) =>
    `suppressed ${amountOf(added, "address", "addresses")} from a file`,
  "export.contact": "exported everything about {}",
  "export.consent": "exported the history of all consent",
  "export.suppressions": "exported the suppressed addresses",
  "start.import": ({ rows }) =>
    `imported ${amountOf(rows, "row of contacts", "rows of contacts")} from {}`,
  "cancel.import": "cancelled the import {}",
  "update.contactField": ({ name }) => `described ${named("field", name)} of contacts`,
  "rename.contactField": ({ name, newName }) =>
    `renamed ${named("field", name)}${renamedTo(newName)} for all contacts`,
  "remove.contactField": ({ name }) => `removed ${named("field", name)} from all contacts`,
  "rename.contactTag": ({ name, newName }) =>
    `renamed ${named("tag", name)}${renamedTo(newName)} for all contacts`,
  "remove.contactTag": ({ name }) => `removed ${named("tag", name)} from all contacts`,
  "tag.contacts": ({ name, contacts }) => `put ${named("tag", name)} on ${chosen(contacts)}`,
  "untag.contacts": ({ name, contacts }) => `took ${named("tag", name)} off ${chosen(contacts)}`,
  "addToList.contacts": ({ name, contacts }) => `added ${chosen(contacts)} to ${theList(name)}`,
  "removeFromList.contacts": ({ name, contacts }) =>
    `took ${chosen(contacts)} off ${theList(name)}`,
  "unsubscribe.contacts": ({ contacts }) => `unsubscribed ${chosen(contacts)}`,
  "delete.contacts": ({ contacts }) => `deleted ${chosen(contacts)}`,
  "cancel.bulkChange": "stopped the change {} of many contacts",
  "undo.bulkChange": "took back the change {} of many contacts",
  "create.list": "created the list {}",
  "update.list": "changed the list {}",
  "delete.list": "deleted the list {}",
  "create.listField": ({ tag }) => `added ${text(tag) && `${text(tag)}, `}a field, to the list {}`,
  "create.subscriber": "added {} to a list",
  "update.subscriber": "changed {} on a list",
  "subscribe.subscriber": "subscribed {} to a list",
  "unsubscribe.subscriber": "unsubscribed {} from a list",
  "tag.subscriber": "changed the tags of {}",
  "delete.subscriber": "removed {} from a list",
  "create.topic": "created the topic {}",
  "update.topic": "changed the topic {}",
  "delete.topic": "deleted the topic {}",
  "create.form": "created the sign-up form {}",
  "update.form": "changed the sign-up form {}",
  "delete.form": "deleted the sign-up form {}",
  "create.segment": "created the segment {}",
  "update.segment": "changed the segment {}",
  "delete.segment": "deleted the segment {}",
  "create.template": "created the template {}",
  "update.template": ({ version }) =>
    `changed the template {}${typeof version === "number" ? `, now version ${version}` : ""}`,
  "delete.template": "deleted the template {}",
  "create.savedBlock": "saved the blocks {} for other mails",
  "update.savedBlock": "changed the saved blocks {}",
  "delete.savedBlock": "deleted the saved blocks {}",
  "create.goal": "set the goal {}",
  "update.goal": "changed the goal {}",
  "delete.goal": "deleted the goal {}",
  "create.campaign": "created the campaign {}",
  "update.campaign": "changed the campaign {}",
  "duplicate.campaign": "copied a campaign as {}",
  "schedule.campaign": "scheduled the campaign {}",
  "unschedule.campaign": "took the campaign {} off the schedule",
  "send.campaign": "sent the campaign {}",
  "pause.campaign": "paused the campaign {}",
  "resume.campaign": "resumed the campaign {}",
  "cancel.campaign": "cancelled the campaign {}",
  "chooseWinner.campaign": ({ variant }) =>
    `chose ${text(variant) ? `variant ${text(variant)} as ` : ""}the winner of the campaign {}`,
  "delete.campaign": "deleted the campaign {}",
  "create.reportLink": ({ name }) =>
    `made a link to the report of the campaign {}${text(name) && `: ${text(name)}`}`,
  "delete.reportLink": ({ name }) =>
    `revoked a link to the report of the campaign {}${text(name) && `: ${text(name)}`}`,
  "send.email": ({ recipients }) =>
    typeof recipients === "number" && recipients > 1
      ? `sent an email to ${amountOf(recipients, "person", "people")}`
      : "sent an email to {}",
  "cancel.email": "cancelled an email to {}",
  "reschedule.email": "rescheduled an email to {}",
  "clear.capturedEmails": "emptied the captured mailbox",
  "create.file": "uploaded the file {}",
  "delete.file": "deleted the file {}",
};

type Told = Pick<AuditEntry, "action" | "actor" | "details">;

/** Who did it, as the subject of a sentence: a name, or the person the product acted for. */
function subjectOf({ action, actor, details }: Told): string {
  if (actor.type === "apiKey") return `The API key ${actor.name}`;
  if (actor.type === "assistant") return `The assistant ${actor.name}`;
  if (actor.type === "user") return actor.name;
  if (details["by"] === "recipient") return "The recipient";
  return action === "refuse.session" || action.startsWith("request.") ? "Somebody" : "Lettermill";
}

/** An entry in words, around its target. */
export function auditSentence(entry: Told): AuditEntry["sentence"] {
  const predicate = predicates[entry.action];
  const words = typeof predicate === "string" ? predicate : predicate(entry.details);
  const [before = "", after] = `${subjectOf(entry)} ${words}`.split("{}");
  return { before, after: after ?? null };
}

/** The same as an entry in a list of all actions: `Created the campaign …`. */
function auditActionWords(action: AuditAction): string {
  const predicate = predicates[action];
  const words = typeof predicate === "string" ? predicate : predicate({});
  const plain = words.replace("{}", "…");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Every action in words, for a selection. */
export const auditChoices = auditActions.map((action) => ({
  value: action,
  label: auditActionWords(action),
}));
