"use client";

import { EmailStatus } from "@/components/emails/email-status";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { pageHref } from "@/components/list-page/filters";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { LinkButton } from "@/components/ui/button";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Contact } from "@/lib/domain/contacts/schema";

/** The newest mail to a person, and a link to all of it. */
export function ContactEmails({
  contact,
  initial,
}: {
  contact: Contact;
  initial: ApiAnswer<"GET /v1/emails">;
}) {
  const path = useProjectPath();
  const log = useRead(
    "GET /v1/emails",
    { query: { search: contact.email, limit: 20 } },
    { initial, every: 15_000 },
  );
  // The search finds parts of addresses: ann@example.com in joann@example.com.
  const emails = log.data.data.filter((email) => email.contact?.id === contact.id);
  const all = pageHref(path("emails"), { search: contact.email });
  return (
    <Section
      title="Emails"
      actions={
        emails.length > 0 && (
          <LinkButton href={all} size="sm">
            Show all
          </LinkButton>
        )
      }
    >
      <NotUpToDate of={log} title="This list is out of date" />
      {emails.length === 0 ? (
        <p className="text-sm text-soft">No email has been sent to this address yet.</p>
      ) : (
        <Table label="Emails" className="table-fixed">
          <TableHead>
            <HeaderCell>Subject</HeaderCell>
            <HeaderCell className="w-28">Status</HeaderCell>
            <HeaderCell className="w-28 text-right!">Accepted</HeaderCell>
          </TableHead>
          <tbody>
            {emails.map((email) => (
              <Row key={email.id}>
                <Cell>
                  <RowLink href={path(`emails/${email.id}`)} className="block truncate">
                    {email.subject || "(no subject)"}
                  </RowLink>
                </Cell>
                <Cell>
                  <EmailStatus status={email.status} />
                </Cell>
                <Cell className="text-right text-soft">
                  <RelativeTime value={email.createdAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  );
}
