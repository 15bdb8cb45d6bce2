"use client";

import { Users } from "lucide-react";
import { useState } from "react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { nameWidth } from "@/components/list-page/columns";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SelectCell, SelectPageCell } from "@/components/list-page/select-cells";
import { useSelection } from "@/components/list-page/use-selection";
import { LinkButton } from "@/components/ui/button";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { ListMember, MailingListDetail, SubscriberQuery } from "@/lib/domain/lists/schema";
import { t } from "@/lib/ground/texts/t";
import { AddSubscriber } from "./add-subscriber";
import { EditSubscriber } from "./edit-subscriber";
import { useMailingList } from "./list-header";
import { MemberMenu, RemoveSubscriber } from "./member-menu";
import { SubscriberActions } from "./subscriber-actions";
import { SubscriberCell, SubscriberHeader } from "./subscriber-cells";
import { fieldNames, subscriberColumns, type SubscriberColumn } from "./subscriber-columns";
import { SubscriberStatus } from "./subscriber-status";

/** Who is on a list, with what can be done to each. */
export function SubscriberList({
  list: initialList,
  initial,
  query,
  columns,
}: {
  list: MailingListDetail;
  initial: ApiAnswer<"GET /v1/lists/{id}/subscribers">;
  query: SubscriberQuery;
  /** What the reader wants to see beside a person. */
  columns: readonly SubscriberColumn[];
}) {
  const list = useMailingList(initialList).data;
  const path = useProjectPath();
  const may = useMay("editor");
  const [editing, setEditing] = useState<ListMember | null>(null);
  const [removing, setRemoving] = useState<ListMember | null>(null);
  const page = useRead(
    "GET /v1/lists/{id}/subscribers",
    { params: { id: list.id }, query },
    { initial, every: 30_000 },
  );
  return (
    <>
      <ListPage
        list={page}
        href={path(`lists/${list.id}`)}
        query={query}
        noMatch={{
          title: t("No subscriber matches"),
          hint: t("Nobody on this list matches these filters."),
          showAll: t("Show everybody"),
        }}
        empty={
          <EmptyState
            icon={Users}
            title={t("Nobody is on this list yet")}
            action={
              may && (
                <>
                  <LinkButton href={`${path("forms/new")}?listId=${list.id}`}>
                    {t("Create a sign-up form")}
                  </LinkButton>
                  <AddSubscriber list={list} variant="secondary" />
                </>
              )
            }
          >
            {t("People join by a sign-up form or through the API, or you add them here.")}
          </EmptyState>
        }
      >
        {(members) => (
          <SubscriberTable
            list={list}
            members={members}
            columns={columns}
            onEdit={setEditing}
            onRemove={setRemoving}
          />
        )}
      </ListPage>
      {editing && <EditSubscriber list={list} member={editing} onClose={() => setEditing(null)} />}
      {removing && (
        <RemoveSubscriber list={list} member={removing} onClose={() => setRemoving(null)} />
      )}
    </>
  );
}

function SubscriberTable({
  list,
  members,
  columns,
  onEdit,
  onRemove,
}: {
  list: MailingListDetail;
  members: readonly ListMember[];
  columns: readonly SubscriberColumn[];
  onEdit: (member: ListMember) => void;
  onRemove: (member: ListMember) => void;
}) {
  const path = useProjectPath();
  const may = useMay("editor");
  const names = fieldNames(list);
  const selection = useSelection(members, ({ id }) => id);
  return (
    <>
      {may && <SubscriberActions list={list} chosen={selection.chosen} onDone={selection.clear} />}
      <Table label={t("Subscribers")} className="table-fixed">
        <TableHead>
          {may && (
            <SelectPageCell
              label={t("Select all subscribers on this page")}
              wholePage={selection.wholePage}
              some={selection.chosen.length > 0}
              onChange={selection.choosePage}
            />
          )}
          <HeaderCell className={nameWidth(subscriberColumns, columns)}>{t("Person")}</HeaderCell>
          {columns.map((column) => (
            <SubscriberHeader key={column} column={column} names={names} />
          ))}
          <HeaderCell className="w-12">
            <span className="sr-only">{t("Actions")}</span>
          </HeaderCell>
        </TableHead>
        <tbody>
          {members.map((member) => (
            <Row key={member.id}>
              {may && (
                <SelectCell
                  label={t("Select {name}", { name: member.email })}
                  checked={selection.has(member.id)}
                  onChange={(on) => selection.choose([member.id], on)}
                />
              )}
              <Cell>
                <RowLink href={path(`contacts/${member.contactId}`)} className="block truncate">
                  {member.email}
                </RowLink>
                <span className="block truncate text-soft">
                  {`${member.firstName} ${member.lastName}`.trim()}
                </span>
                {columns.includes("status") && (
                  <span className="mt-1 block sm:hidden">
                    <SubscriberStatus member={member} />
                  </span>
                )}
              </Cell>
              {columns.map((column) => (
                <SubscriberCell key={column} column={column} member={member} />
              ))}
              <Cell className="text-right">
                <MemberMenu
                  member={member}
                  onEdit={() => onEdit(member)}
                  onRemove={() => onRemove(member)}
                />
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </>
  );
}
