import { auditActions, type AuditAction } from "@/db/audit-actions";
import { amount } from "@/lib/ground/amount";
import { phrases, t } from "@/lib/ground/texts/t";
import * as contacts from "./contact-sentences";
import { figure, target, text, type Details } from "./details";
import * as people from "./people-sentences";
import type { AuditEntry } from "./schema";

const domainStatuses: Readonly<Record<string, string>> = phrases({
  PENDING: "pending",
  VERIFIED: "verified",
  FAILED: "failed",
});

/** What was done, after the name of who did it; `{}` stands for what it was done to. */
const predicates: Readonly<Record<AuditAction, string | ((details: Details) => string)>> = phrases({
  "start.session": people.signedIn,
  "refuse.session": people.refusedSignIn,
  "end.sessions": people.endedSessions,
  "create.loginToken": "created a one-time sign-in link for {}",
  "request.loginLink": "asked for a sign-in link for {}",
  "request.passwordReset": "asked to reset the password of {}",
  "enable.secondFactor": "switched two-step sign-in on",
  "disable.secondFactor": ({ by }) =>
    by === "operator"
      ? t("switched two-step sign-in off for {}, on the server")
      : t("switched two-step sign-in off"),
  "use.recoveryCode": people.usedRecoveryCode,
  "renew.recoveryCodes": "made new recovery codes",
  "create.passkey": people.addedPasskey,
  "update.passkey": people.renamedPasskey,
  "delete.passkey": people.removedPasskey,
  "link.identity": people.linkedIdentity,
  "unlink.identity": people.unlinkedIdentity,
  "reset.password": ({ by }) =>
    by === "invitation"
      ? t("set a password after an invitation")
      : t("reset the password by email"),
  "change.password": ({ first }) =>
    first === true ? t("set a password") : t("changed their password"),
  "invite.user": people.invited,
  "withdraw.invitation": people.withdrewInvitation,
  "accept.invitation": people.acceptedInvitation,
  "decline.invitation": people.declinedInvitation,
  "update.member": people.changedRole,
  "remove.member": people.leftProject,
  "create.user": "made an account by signing up",
  "create.apiKey": ({ scope }) =>
    scope === "sending"
      ? t("created the API key {}, which may only send")
      : t("created the API key {}"),
  "delete.apiKey": "revoked the API key {}",
  "connect.assistant": ({ scope }) =>
    scope === "sending"
      ? t("connected the assistant {}, which may only send")
      : scope === "read"
        ? t("connected the assistant {}, which may only read")
        : t("connected the assistant {}"),
  "end.assistant": ({ by }) =>
    by === "reuse"
      ? t("disconnected the assistant {}: a token of it was used twice")
      : by === "assistant"
        ? t("disconnected itself")
        : by === "passwordReset"
          ? t("disconnected the assistant {} by setting a new password")
          : t("disconnected the assistant {}"),
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
  "create.inboundRoute": ({ restored }) =>
    restored === true ? t("brought the inbound route {} back") : t("added the inbound route {}"),
  "delete.inboundRoute": "deleted the inbound route {}",
  "delete.inboundEmail": "deleted a message that had come in",
  "replay.webhookDeliveries": "delivered past events to the webhook {} again",
  "retry.webhookDelivery": "retried a delivery to the webhook {}",
  "export.contacts": ({ filters }) =>
    Array.isArray(filters) && filters.some((name) => name !== "columns")
      ? t("exported some of the contacts")
      : t("exported all contacts"),
  "export.refusedRows": "downloaded the refused rows of the import {}",
  "export.auditLog": "exported the audit log",
  "export.project": "exported the project {}",
  "create.project": "created the project {}",
  "resume.domain": "let mail from {} continue",
  "release.mail": "released the mail that was waiting after a restore",
  "update.limit": ({ emails }) => {
    const count = figure(emails);
    return count === null
      ? t("lifted the project’s monthly limit, on the server")
      : t(
          "limited the project to {count, plural, one {# email} other {# emails}} a month, on the server",
          { count },
        );
  },
  "update.pace": ({ emailsPerHour }) => {
    const count = figure(emailsPerHour);
    return count === null
      ? t("removed the limit on the pace of campaigns")
      : t("set the pace of campaigns to {count} emails an hour", { count: amount(count) });
  },
  "update.project": ({ requiresTwoStep }) =>
    requiresTwoStep === undefined
      ? t("changed the settings of the project {}")
      : requiresTwoStep === true
        ? t("required two-step sign-in for the project {}")
        : t("no longer required two-step sign-in for the project {}"),
  "delete.project": "deleted the project {}",
  "create.domain": "added the domain {}",
  "update.domain": "changed the settings of the domain {}",
  "verify.domain": (details) => {
    const status = domainStatuses[text(details["status"])];
    return status === undefined
      ? t("checked the domain {}")
      : t("checked the domain {target}: {status}", { target, status });
  },
  "update.warmup": ({ enabled }) =>
    enabled === false
      ? t("turned off the warm-up of the domain {}")
      : t("changed the warm-up of the domain {}"),
  "delete.domain": "deleted the domain {}",
  "create.contact": "added the contact {}",
  "update.contact": ({ undoes }) =>
    text(undoes) ? t("undid a change of the contact {}") : t("changed the contact {}"),
  "upsert.contacts": contacts.upsertedContacts,
  "subscribe.contact": contacts.subscribedContact,
  "unsubscribe.contact": contacts.unsubscribedContact,
  "merge.contact": "merged another contact into {}",
  "delete.contact": "deleted the contact {}",
  "create.contactNote": "added a note about {}",
  "update.contactNote": "edited a note about {}",
  "delete.contactNote": "deleted a note about {}",
  "create.suppression": contacts.suppressed,
  "delete.suppression": contacts.allowedAgain,
  "import.suppressions": contacts.importedSuppressions,
  "export.contact": "exported everything about {}",
  "export.consent": "exported the history of all consent",
  "export.suppressions": "exported the suppressed addresses",
  "start.import": contacts.startedImport,
  "cancel.import": "cancelled the import {}",
  "update.contactField": contacts.describedField,
  "rename.contactField": contacts.renamedField,
  "remove.contactField": contacts.removedField,
  "rename.contactTag": contacts.renamedTag,
  "remove.contactTag": contacts.removedTag,
  "tag.contacts": contacts.tagged,
  "untag.contacts": contacts.untagged,
  "addToList.contacts": contacts.addedToList,
  "removeFromList.contacts": contacts.tookOffList,
  "unsubscribe.contacts": (details) =>
    t("unsubscribed {contacts}", { contacts: contacts.chosen(details["contacts"]) }),
  "delete.contacts": (details) =>
    t("deleted {contacts}", { contacts: contacts.chosen(details["contacts"]) }),
  "cancel.bulkChange": "stopped the change {} of many contacts",
  "undo.bulkChange": "took back the change {} of many contacts",
  "create.list": "created the list {}",
  "update.list": "changed the list {}",
  "delete.list": "deleted the list {}",
  "create.listField": ({ tag }) =>
    text(tag)
      ? t("added {tag}, a field, to the list {target}", { tag: text(tag), target })
      : t("added a field, to the list {}"),
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
  "create.segment": ({ restored }) =>
    restored === true ? t("brought the segment {} back") : t("created the segment {}"),
  "update.segment": "changed the segment {}",
  "delete.segment": "deleted the segment {}",
  "create.template": ({ restored }) =>
    restored === true ? t("brought the template {} back") : t("created the template {}"),
  "update.template": ({ version }) =>
    typeof version === "number"
      ? t("changed the template {target}, now version {version}", { target, version })
      : t("changed the template {}"),
  "delete.template": "deleted the template {}",
  "create.savedBlock": ({ restored }) =>
    restored === true
      ? t("brought the saved blocks {} back")
      : t("saved the blocks {} for other mails"),
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
    text(variant)
      ? t("chose variant {variant} as the winner of the campaign {target}", {
          variant: text(variant),
          target,
        })
      : t("chose the winner of the campaign {}"),
  "delete.campaign": "deleted the campaign {}",
  "create.reportLink": ({ name }) =>
    text(name)
      ? t("made a link to the report of the campaign {target}: {name}", {
          target,
          name: text(name),
        })
      : t("made a link to the report of the campaign {}"),
  "delete.reportLink": ({ name }) =>
    text(name)
      ? t("revoked a link to the report of the campaign {target}: {name}", {
          target,
          name: text(name),
        })
      : t("revoked a link to the report of the campaign {}"),
  "send.email": ({ recipients }) =>
    typeof recipients === "number" && recipients > 1
      ? t("sent an email to {count, plural, one {# person} other {# people}}", {
          count: recipients,
        })
      : t("sent an email to {}"),
  "cancel.email": "cancelled an email to {}",
  "reschedule.email": "rescheduled an email to {}",
  "clear.capturedEmails": "emptied the captured mailbox",
  "delete.capturedEmail": "deleted a message from the captured mailbox",
  "create.file": "uploaded the file {}",
  "delete.file": "deleted the file {}",
});

type Told = Pick<AuditEntry, "action" | "actor" | "details">;

/** Who did it, as the subject of a sentence: a name, or the person the product acted for. */
function subjectOf({ action, actor, details }: Told): string {
  if (actor.type === "apiKey") return t("The API key {name}", { name: actor.name });
  if (actor.type === "assistant") return t("The assistant {name}", { name: actor.name });
  if (actor.type === "user") return actor.name;
  if (details["by"] === "recipient") return t("The recipient");
  return action === "refuse.session" || action.startsWith("request.")
    ? t("Somebody")
    : "Lettermill";
}

/** An entry in words, around its target. */
export function auditSentence(entry: Told): AuditEntry["sentence"] {
  const predicate = predicates[entry.action];
  const what = typeof predicate === "string" ? predicate : predicate(entry.details);
  const [before = "", after] = t("{who} {what}", { who: subjectOf(entry), what }).split(target);
  return { before, after: after ?? null };
}

/** The same as an entry in a list of all actions: `Created the campaign …`. */
function auditActionWords(action: AuditAction): string {
  const predicate = predicates[action];
  const words = typeof predicate === "string" ? predicate : predicate({});
  const plain = words.replace(target, "…");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Every action in words, for a selection. */
export const auditChoices = auditActions.map((action) => ({
  value: action,
  get label() {
    return auditActionWords(action);
  },
}));
