"use client";

import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-header";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Badge } from "@/components/ui/status";
import { count } from "@/components/ui/numbers";
import { t } from "@/lib/ground/texts/t";
import { statusWords } from "./subscription-words";

/** The lists and segments that a person is in. */
export function ContactMemberships({ contactId }: { contactId: string }) {
  const reading = useRead(
    "GET /v1/contacts/{id}/memberships",
    { params: { id: contactId } },
    { every: 60_000 },
  );
  const memberships = reading.data;
  return (
    <Section title={t("Lists and segments")}>
      <NotUpToDate of={reading} />
      {!memberships ? (
        <TableSkeleton rows={2} columns={1} />
      ) : (
        <div className="grid gap-3 text-sm">
          <Names
            label={t("Lists")}
            none={t("On no list.")}
            things={memberships.lists.map(({ id, name, status }) => ({
              ...{ href: `lists/${id}`, name },
              badge: status === "subscribed" ? null : statusWords[status],
            }))}
          />
          {memberships.segments === null ? (
            <p className="text-soft">
              {t("Looking through the segments takes too long at the moment.")}
            </p>
          ) : (
            <Names
              label={t("Segments")}
              none={t("In no segment.")}
              things={memberships.segments.map(({ id, name }) => ({
                ...{ href: `segments/${id}`, name, badge: null },
              }))}
            />
          )}
          {memberships.segmentsLeftOut > 0 && (
            <p className="text-soft">
              {t("{segmentsLeftOut} older segments were not looked at.", {
                segmentsLeftOut: count(memberships.segmentsLeftOut),
              })}
            </p>
          )}
        </div>
      )}
    </Section>
  );
}

function Names({
  label,
  none,
  things,
}: {
  label: string;
  none: string;
  things: readonly { href: string; name: string; badge: string | null }[];
}) {
  const path = useProjectPath();
  if (things.length === 0) return <p className="text-soft">{none}</p>;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-x-4 gap-y-1.5">
      {things.map(({ href, name, badge }) => (
        <li key={href} className="flex min-w-0 items-center gap-1.5">
          <Link href={path(href)} className="wrap-anywhere underline underline-offset-2">
            {name}
          </Link>
          {badge && <Badge>{badge}</Badge>}
        </li>
      ))}
    </ul>
  );
}
