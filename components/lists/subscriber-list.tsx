"use client";

import { MailCheck, MailX, MoreHorizontal, Pencil, UserMinus, Users } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useAction } from "@/components/form/use-action";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { IconButton, LinkButton } from "@/components/ui/button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { ListMember, MailingListDetail, SubscriberQuery } from "@/lib/domain/lists/schema";
import { t } from "@/lib/ground/texts/t";
import { AddSubscriber } from "./add-subscriber";
import { EditSubscriber } from "./edit-subscriber";
import { useMailingList } from "./list-header";
import { SubscriberStatus } from "./subscriber-status";

/** Who is on a list, with what can be done to each. */
export function SubscriberList({
  list: initialList,
  initial,
  query,
}: {
  list: MailingListDetail;
  initial: ApiAnswer<"GET /v1/lists/{id}/subscribers">;
  query: SubscriberQuery;
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
          <Table label={t("Subscribers")} className="table-fixed">
            <TableHead>
              <HeaderCell>{t("Person")}</HeaderCell>
              <HeaderCell className="w-40">{t("Status")}</HeaderCell>
              <HeaderCell className="w-32 text-right! max-sm:hidden">{t("Joined")}</HeaderCell>
              <HeaderCell className="w-12">
                <span className="sr-only">{t("Actions")}</span>
              </HeaderCell>
            </TableHead>
            <tbody>
              {members.map((member) => (
                <Row key={member.id}>
                  <Cell>
                    <RowLink href={path(`contacts/${member.contactId}`)} className="block truncate">
                      {member.email}
                    </RowLink>
                    <span className="block truncate text-soft">
                      {`${member.firstName} ${member.lastName}`.trim()}
                    </span>
                  </Cell>
                  <Cell>
                    <SubscriberStatus member={member} />
                  </Cell>
                  <Cell className="text-right text-soft max-sm:hidden">
                    <RelativeTime value={member.createdAt} />
                  </Cell>
                  <Cell className="text-right">
                    <MemberMenu
                      member={member}
                      onEdit={() => setEditing(member)}
                      onRemove={() => setRemoving(member)}
                    />
                  </Cell>
                </Row>
              ))}
            </tbody>
          </Table>
        )}
      </ListPage>
      {editing && <EditSubscriber list={list} member={editing} onClose={() => setEditing(null)} />}
      {removing && (
        <RemoveSubscriber list={list} member={removing} onClose={() => setRemoving(null)} />
      )}
    </>
  );
}

function MemberMenu({
  member,
  onEdit,
  onRemove,
}: {
  member: ListMember;
  onEdit: () => void;
  onRemove: () => void;
}) {
  const api = useApi();
  const may = useMay("editor");
  const move = useAction({
    mutationFn: (to: "subscribe" | "unsubscribe") => {
      const params = { id: member.id };
      return to === "subscribe"
        ? api("POST /v1/subscribers/{id}/subscribe", { params })
        : api("POST /v1/subscribers/{id}/unsubscribe", { params });
    },
    onSuccess: (moved, to) => {
      const on = moved.status === "subscribed";
      // Somebody who had never confirmed is not confirmed by an undo.
      const back = to === "subscribe" ? "unsubscribe" : "subscribe";
      const undoable = member.status === (to === "subscribe" ? "unsubscribed" : "subscribed");
      const { email } = moved;
      toast.success(
        on ? t("{email} is subscribed", { email }) : t("{email} is unsubscribed", { email }),
        {
          ...(undoable && { action: { label: t("Undo"), run: () => move.mutate(back) } }),
          ...(on && moved.leftEverything
            ? {
                description: t(
                  "Campaigns still skip them: they unsubscribed from all of your mail.",
                ),
              }
            : {}),
        },
      );
    },
    onError: (error) => toast.error(t("Nothing was changed"), { description: messageOf(error) }),
  });
  if (!may) return null;
  const on = member.status === "subscribed";
  return (
    <div className="relative z-10 inline-block">
      <Menu
        trigger={
          <IconButton label={t("Actions for {email}", { email: member.email })} size="sm">
            <MoreHorizontal aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onClick={onEdit}>
          <Pencil aria-hidden /> {t("Edit")}
        </MenuItem>
        {on || member.status === "unconfirmed" ? (
          <MenuItem onClick={() => move.mutate("unsubscribe")}>
            <MailX aria-hidden /> {t("Unsubscribe")}
          </MenuItem>
        ) : null}
        {!on && (
          <MenuItem onClick={() => move.mutate("subscribe")}>
            <MailCheck aria-hidden /> {t("Subscribe")}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger onClick={onRemove}>
          <UserMinus aria-hidden /> {t("Remove from list")}
        </MenuItem>
      </Menu>
    </div>
  );
}

function RemoveSubscriber({
  list,
  member,
  onClose,
}: {
  list: MailingListDetail;
  member: ListMember;
  onClose: () => void;
}) {
  const api = useApi();
  return (
    <ConfirmAction
      onClose={onClose}
      title={t("Remove {email} from “{name}”?", { email: member.email, name: list.name })}
      action={t("Remove from list")}
      run={() => api("DELETE /v1/subscribers/{id}", { params: { id: member.id } })}
      done={t("{email} was removed from the list", { email: member.email })}
    >
      {t(
        "This deletes what they entered in the list’s fields, and the record of when they joined or left. To keep that, unsubscribe them instead. The contact stays.",
      )}
    </ConfirmAction>
  );
}
