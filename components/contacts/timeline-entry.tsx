"use client";

import clsx from "clsx";
import {
  ClipboardList,
  Inbox,
  MailOpen,
  MailX,
  Merge,
  MousePointerClick,
  PencilLine,
  Send,
  ThumbsDown,
  UserCheck,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import { useProjectPath } from "@/components/api/project-context";
import { EmailStatus } from "@/components/emails/email-status";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import type { TimelineEntry, TimelineType } from "@/lib/domain/contact-story/schema";
import type { SubscriptionChange } from "@/lib/domain/contacts/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { byWords, changeWords, reasonWords } from "./subscription-words";
import { changeTitle, timesWords } from "./timeline-words";
import { ChangeDetails } from "./undo-change";

const looks: Readonly<Record<TimelineType, { icon: LucideIcon; mark: string }>> = {
  email: { icon: Send, mark: "text-info" },
  bounced: { icon: MailX, mark: "text-danger" },
  complained: { icon: ThumbsDown, mark: "text-danger" },
  opened: { icon: MailOpen, mark: "text-success" },
  clicked: { icon: MousePointerClick, mark: "text-success" },
  subscription: { icon: UserCheck, mark: "text-soft" },
  changed: { icon: PencilLine, mark: "text-soft" },
  signed_up: { icon: ClipboardList, mark: "text-soft" },
  received: { icon: Inbox, mark: "text-info" },
  merged: { icon: Merge, mark: "text-soft" },
};

/** One thing that happened with a contact, in words, with links to what it is about. */
export function Entry({ entry, contactId }: { entry: TimelineEntry; contactId: string }) {
  const { icon: Icon, mark } = looks[entry.type];
  return (
    // The line is its own: a rule for what is within the last child makes browsers style each page twice.
    <li className="relative flex gap-3.5 pb-5 before:absolute before:top-8 before:bottom-0 before:left-[0.9375rem] before:w-px before:bg-rule-strong last:pb-0 last:before:hidden">
      <span
        className={clsx(
          "flex size-8 shrink-0 items-center justify-center rounded-full border bg-sheet",
          mark,
        )}
      >
        <Icon className="size-4" aria-hidden />
      </span>
      <div className="min-w-0 flex-1 pt-1 text-sm">
        <div className="flex items-baseline justify-between gap-x-4">
          <span className="min-w-0 font-medium wrap-anywhere">
            <Title entry={entry} />
          </span>
          <span className="shrink-0 text-xs text-faint">
            <RelativeTime value={entry.at} />
          </span>
        </div>
        <div className="wrap-anywhere text-soft">
          <Details entry={entry} contactId={contactId} />
        </div>
      </div>
    </li>
  );
}

function PageLink({ to, children }: { to: string; children: ReactNode }) {
  const path = useProjectPath();
  return (
    <Link href={path(to)} className="underline underline-offset-2">
      {children}
    </Link>
  );
}

function Title({ entry }: { entry: TimelineEntry }) {
  const { type, email, times, subscription, change, received } = entry;
  if (subscription) return changeWords(subscription);
  if (change) return changeTitle(change);
  if (received) {
    const subject = (
      <PageLink to={`inbound/${received.id}`}>{received.subject || t("(no subject)")}</PageLink>
    );
    return rich("Wrote {subject}", { subject });
  }
  if (entry.merged) return t("Merged with {email}", { email: entry.merged.contact.email });
  if (!email) return entry.form?.confirmedAt ? t("Signed up and confirmed") : t("Signed up");
  const subject = (
    <PageLink to={`emails/${email.id}`}>{email.subject || t("(no subject)")}</PageLink>
  );
  const often = timesWords(times);
  switch (type) {
    case "bounced":
      return rich("Came back: {subject}", { subject });
    case "complained":
      return rich("Reported as spam: {subject}", { subject });
    case "opened":
      return often
        ? rich("Opened {subject} {often}", { subject, often })
        : rich("Opened {subject}", { subject });
    case "clicked":
      return often
        ? rich("Clicked {often} in {subject}", { subject, often })
        : rich("Clicked in {subject}", { subject });
    default:
      return subject;
  }
}

function Details({ entry, contactId }: { entry: TimelineEntry; contactId: string }) {
  const { type, email, url, subscription, change, form } = entry;
  if (subscription) return <Consent change={subscription} />;
  if (change) return <ChangeDetails change={change} contactId={contactId} />;
  if (entry.merged) return byWords({ by: entry.merged.by, form: null });
  if (form) return <SignUp form={form} />;
  if (type === "clicked") return <span className="font-mono text-xs">{url ?? t("a link")}</span>;
  if (type !== "email" || !email) return null;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-0.5">
      <EmailStatus status={email.status} />
      {email.campaign && (
        <span>
          {email.campaign.name === null
            ? t("of a campaign that was deleted")
            : rich("of the campaign {campaign}", {
                campaign: (
                  <PageLink to={`campaigns/${email.campaign.id}`}>{email.campaign.name}</PageLink>
                ),
              })}
        </span>
      )}
    </span>
  );
}

function SignUp({ form }: { form: NonNullable<TimelineEntry["form"]> }) {
  const confirmed = form.confirmedAt !== null;
  if (form.name === null) {
    return confirmed
      ? t("with a form that was deleted")
      : t("with a form that was deleted, not confirmed yet");
  }
  const link = <PageLink to={`forms/${form.id}`}>{form.name}</PageLink>;
  return confirmed
    ? rich("with the form {form}", { form: link })
    : rich("with the form {form}, not confirmed yet", { form: link });
}

function Consent({ change }: { change: SubscriptionChange }) {
  const reason = reasonWords(change);
  return (
    <>
      {byWords(change)}
      <Cause change={change} />
      {reason && <p>{t("Why: {reason}", { reason })}</p>}
      {change.text && (
        <details>
          <summary className="cursor-pointer">{t("What they read, and from where")}</summary>
          <blockquote className="border-s-2 ps-3 whitespace-pre-wrap">{change.text}</blockquote>
          <p>
            {change.ipAddress} · {change.userAgent}
          </p>
        </details>
      )}
    </>
  );
}

/** A link to the email, import or form that caused the change. */
function Cause({ change: { emailId, importId, form } }: { change: SubscriptionChange }) {
  const cause = emailId
    ? { to: `emails/${emailId}`, words: t("see the email") }
    : importId
      ? { to: `contacts/imports/${importId}`, words: t("see the import") }
      : form !== null && form.name !== null
        ? { to: `forms/${form.id}`, words: t("see the form") }
        : null;
  if (!cause) return null;
  return (
    <>
      {" ("}
      <PageLink to={cause.to}>{cause.words}</PageLink>
      {")"}
    </>
  );
}
