"use client";

import { Tag } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { EmptyState } from "@/components/list-page/empty-state";
import { pageHref } from "@/components/list-page/filters";
import { Link } from "@/components/ui/link";
import { count } from "@/components/ui/numbers";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { ContactTagList } from "@/lib/domain/contact-fields/schema";
import { mostNames } from "@/lib/domain/contact-fields/terms";
import { t } from "@/lib/ground/texts/t";
import { RemoveEverywhere } from "./remove-dialog";
import { RenameEverywhere } from "./rename-dialog";
import { SubjectMenu, type Doing } from "./subject-menu";

/** The tags of the project's contacts, the commonest first. */
export function TagTable({
  tags,
  counted,
}: {
  tags: ContactTagList["data"];
  /** Of how many people the figures are, and from when. */
  counted: ReactNode;
}) {
  const path = useProjectPath();
  const may = useMay("editor");
  const [doing, setDoing] = useState<{ what: Doing; tag: string } | null>(null);
  const close = () => setDoing(null);
  if (tags.length === 0) {
    return (
      <EmptyState icon={Tag} title={t("No tags yet")}>
        {t(
          "Tags appear here once contacts have them. Put them on people on their own page, in an import or through the API.",
        )}
      </EmptyState>
    );
  }
  return (
    <>
      <Table label={t("Tags")} className="table-fixed">
        <TableHead>
          <HeaderCell>{t("Tag")}</HeaderCell>
          <HeaderCell className="w-28 text-right!">{t("People")}</HeaderCell>
          {may && (
            <HeaderCell className="w-12">
              <span className="sr-only">{t("Actions")}</span>
            </HeaderCell>
          )}
        </TableHead>
        <tbody>
          {tags.map(({ tag, contacts }) => (
            <Row key={tag}>
              <Cell className="font-medium wrap-anywhere">{tag}</Cell>
              <Cell className="text-right">
                <Link
                  href={pageHref(path("contacts"), { tag })}
                  aria-label={t("{contacts}: show contacts with the tag {tag}", {
                    contacts: count(contacts),
                    tag,
                  })}
                  className="underline decoration-rule-strong underline-offset-4 hover:decoration-ink"
                >
                  {count(contacts)}
                </Link>
              </Cell>
              {may && (
                <Cell className="text-right">
                  <SubjectMenu name={tag} onChoose={(what) => setDoing({ what, tag })} />
                </Cell>
              )}
            </Row>
          ))}
        </tbody>
      </Table>
      {counted}
      {tags.length >= mostNames && (
        <p className="text-xs text-faint">
          {t("These are the {mostNames} commonest.", { mostNames: count(mostNames) })}
        </p>
      )}
      {doing?.what === "rename" && <RenameEverywhere kind="tag" name={doing.tag} onClose={close} />}
      {doing?.what === "remove" && <RemoveEverywhere kind="tag" name={doing.tag} onClose={close} />}
    </>
  );
}
