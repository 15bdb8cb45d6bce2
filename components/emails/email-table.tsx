import clsx from "clsx";
import type { ReactNode } from "react";
import { useProjectPath } from "@/components/api/project-context";
import { nameWidth } from "@/components/list-page/columns";
import { count } from "@/components/ui/numbers";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { EmailDetails } from "@/lib/domain/emails/log-schema";
import type { EmailSummary } from "@/lib/domain/emails/schema";
import { t } from "@/lib/ground/texts/t";
import { emailColumns, type EmailColumn } from "./columns";
import { EmailStatus, sourceWords } from "./email-status";

/** Of the head its width; of cells, too, how they are aligned and where there is no room for them. */
const looks: Record<EmailColumn, { width: string; className: string }> = {
  source: { width: "w-32", className: "max-md:hidden" },
  campaign: { width: "w-40", className: "max-md:hidden" },
  template: { width: "w-40", className: "max-md:hidden" },
  from: { width: "w-48", className: "max-md:hidden" },
  provider: { width: "w-32", className: "max-md:hidden" },
  opens: { width: "w-20", className: "text-right! max-lg:hidden" },
  clicks: { width: "w-20", className: "text-right! max-lg:hidden" },
  lastEvent: { width: "w-36", className: "text-right! max-md:hidden" },
  sentAt: { width: "w-36", className: "text-right! max-md:hidden" },
  createdAt: { width: "w-36", className: "text-right! max-sm:hidden" },
};

/** A page of the log. */
export function EmailTable({
  emails,
  columns,
  details,
}: {
  emails: readonly EmailSummary[];
  columns: readonly EmailColumn[];
  /** By the emails' ids, as far as they have been read. */
  details: ReadonlyMap<string, EmailDetails>;
}) {
  const path = useProjectPath();
  return (
    <Table label={t("Emails")} className="table-fixed">
      <TableHead>
        <HeaderCell className={nameWidth(emailColumns, columns)}>
          {t("Recipient and subject")}
        </HeaderCell>
        <HeaderCell className="w-28 sm:w-32">{t("Status")}</HeaderCell>
        {columns.map((column) => (
          <HeaderCell key={column} className={clsx(looks[column].width, looks[column].className)}>
            {emailColumns.words[column]}
          </HeaderCell>
        ))}
      </TableHead>
      <tbody>
        {emails.map((email) => (
          <Row key={email.id}>
            <Cell>
              <RowLink href={path(`emails/${email.id}`)} className="block truncate">
                {email.contact?.email ?? (
                  <span className="text-faint italic">{t("not a contact")}</span>
                )}
              </RowLink>
              <span className="block truncate text-soft">{email.subject || t("(no subject)")}</span>
            </Cell>
            <Cell>
              <EmailStatus status={email.status} />
              {columns.includes("createdAt") && (
                <span className="mt-0.5 block text-xs text-faint sm:hidden">
                  <RelativeTime value={email.createdAt} />
                </span>
              )}
            </Cell>
            {columns.map((column) => (
              <Cell key={column} className={clsx("text-soft", looks[column].className)}>
                {shown(column, email, details.get(email.id))}
              </Cell>
            ))}
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

const dash = <span className="text-faint">–</span>;

function shown(
  column: EmailColumn,
  email: EmailSummary,
  details: EmailDetails | undefined,
): ReactNode {
  switch (column) {
    case "source":
      return sourceWords[email.source];
    case "opens":
    case "clicks":
      return email[column] > 0 ? <span className="text-ink">{count(email[column])}</span> : dash;
    case "sentAt":
      return email.sentAt ? <RelativeTime value={email.sentAt} /> : dash;
    case "createdAt":
      return <RelativeTime value={email.createdAt} />;
    case "lastEvent":
      return details && <RelativeTime value={details.lastEventAt} />;
    default: {
      const text = details?.[column];
      if (!text) return details && dash;
      return (
        <span className="block truncate" title={text}>
          {text}
        </span>
      );
    }
  }
}
