"use client";

import Link from "next/link";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Contact, SubscriptionChange } from "@/lib/domain/contacts/schema";
import { byWords, changeWords, reasonWords } from "./subscription-words";

type Route = "GET /v1/contacts/{id}/subscription-history";

/** How a person's subscription came to be what it is, and through whom; newest first. */
export function SubscriptionHistory({
  contact,
  initial,
}: {
  contact: Contact;
  initial: ApiAnswer<Route>;
}) {
  const history = useRead(
    "GET /v1/contacts/{id}/subscription-history",
    { params: { id: contact.id }, query: { limit: 20 } },
    { initial, every: 30_000 },
  );
  const { data: changes, nextCursor } = history.data;
  return (
    <Section title="Subscription history">
      <NotUpToDate of={history} title="This list is out of date" />
      {changes.length === 0 ? (
        <p className="text-sm text-soft">
          Nothing on record: the subscription has not changed since we began to keep a history.
        </p>
      ) : (
        <ol aria-label="Subscription history" className="grid gap-3 text-sm">
          {changes.map((change) => (
            <li key={`${change.createdAt} ${changeWords(change)}`} className="wrap-anywhere">
              <span className="font-medium">{changeWords(change)}</span>{" "}
              <span className="text-soft">
                {byWords(change)}
                <Cause change={change} />
                {", "}
                <RelativeTime value={change.createdAt} />
              </span>
              {reasonWords(change) && <p className="text-soft">Why: {reasonWords(change)}</p>}
              {change.text && (
                <details className="text-soft">
                  <summary className="cursor-pointer">What they read, and from where</summary>
                  <blockquote className="border-s-2 ps-3 whitespace-pre-wrap">
                    {change.text}
                  </blockquote>
                  <p>
                    {change.ipAddress} · {change.userAgent}
                  </p>
                </details>
              )}
            </li>
          ))}
        </ol>
      )}
      {nextCursor && (
        <p className="mt-3 text-sm text-soft">Earlier changes can be read through the API.</p>
      )}
    </Section>
  );
}

/** A link to the email, import or form that caused the change. */
function Cause({ change: { emailId, importId, form } }: { change: SubscriptionChange }) {
  const path = useProjectPath();
  const cause = emailId
    ? { href: `emails/${emailId}`, words: "see the email" }
    : importId
      ? { href: `contacts/imports/${importId}`, words: "see the import" }
      : form !== null && form.name !== null
        ? { href: `forms/${form.id}`, words: "see the form" }
        : null;
  if (!cause) return null;
  return (
    <>
      {" ("}
      <Link href={path(cause.href)} className="underline underline-offset-2">
        {cause.words}
      </Link>
      {")"}
    </>
  );
}
