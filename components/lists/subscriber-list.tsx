"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { MailCheck, MailX, MoreHorizontal, Pencil, SearchX, UserMinus, Users } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { pageHref, useFilters } from "@/components/list/use-filters";
import { IconButton, LinkButton } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { Pagination } from "@/components/list/pagination";
import { RelativeTime } from "@/components/ui/relative-time";
import { SearchField } from "@/components/list/search-field";
import { Select } from "@/components/ui/select";
import { EmptyState } from "@/components/list/empty-state";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { ListMember, MailingListDetail, SubscriberQuery } from "@/lib/domain/lists/schema";
import { AddSubscriber } from "./add-subscriber";
import { EditSubscriber } from "./edit-subscriber";
import { useList } from "./list-header";
import { memberStatuses, SubscriberStatus } from "./subscriber-status";

const statusOptions = [
  { value: "", label: "Any status" },
  ...Object.entries(memberStatuses).map(([value, { label }]) => ({ value, label })),
];

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
  const { id: projectId } = useProject();
  const list = useList(initialList);
  const api = useApi();
  const path = useProjectPath();
  const { set, pending } = useFilters();
  const [editing, setEditing] = useState<ListMember | null>(null);
  const [removing, setRemoving] = useState<ListMember | null>(null);
  const page = useQuery({
    queryKey: ["lists", projectId, list.id, "subscribers", query],
    queryFn: ({ signal }) =>
      api("GET /v1/lists/{id}/subscribers", { params: { id: list.id }, query }, { signal }),
    initialData: initial,
    refetchInterval: 30_000,
  });
  const { data, nextCursor } = page.data;
  const here = path(`lists/${list.id}`);
  const narrowed = Boolean(query.search || query.status || query.cursor);
  return (
    <>
      <div
        role="search"
        aria-label="Subscribers"
        aria-busy={pending}
        className="mb-5 flex flex-wrap items-center gap-2"
      >
        <SearchField
          label="Search by address or name"
          value={query.search ?? ""}
          onChange={(search) => set({ search })}
          className="w-full sm:w-72"
        />
        <Select
          label="Status"
          options={statusOptions}
          value={query.status ?? ""}
          onChange={(status) => set({ status })}
          className="sm:w-48!"
        />
      </div>
      <NotUpToDate error={page.error} what="list">
        It is asked for again every half minute.
      </NotUpToDate>
      {data.length > 0 && (
        <Table label="Subscribers" className="table-fixed">
          <TableHead>
            <HeaderCell>Person</HeaderCell>
            <HeaderCell className="w-40">Status</HeaderCell>
            <HeaderCell className="w-32 text-right! max-sm:hidden">Joined</HeaderCell>
            <HeaderCell className="w-12">
              <span className="sr-only">Actions</span>
            </HeaderCell>
          </TableHead>
          <tbody>
            {data.map((member) => (
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
      {data.length === 0 &&
        (narrowed ? (
          <EmptyState
            icon={SearchX}
            title="Nobody matches"
            action={<LinkButton href={here}>Show everybody</LinkButton>}
          >
            Nobody on this list fits.
          </EmptyState>
        ) : (
          <EmptyState
            icon={Users}
            title="Nobody is on this list yet"
            action={<AddSubscriber list={list} variant="secondary" />}
          >
            People join by a form of yours, through the API, or because you add them.
          </EmptyState>
        ))}
      <Pagination
        firstHref={query.cursor ? pageHref(here, query, null) : null}
        nextHref={nextCursor ? pageHref(here, query, nextCursor) : null}
      />
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
  const queries = useQueryClient();
  const may = useMay("editor");
  const move = useMutation({
    mutationFn: (to: "subscribe" | "unsubscribe") => {
      const params = { id: member.id };
      return to === "subscribe"
        ? api("POST /v1/subscribers/{id}/subscribe", { params })
        : api("POST /v1/subscribers/{id}/unsubscribe", { params });
    },
    onSuccess: async (moved) => {
      const on = moved.status === "subscribed";
      toast.success(`${moved.email} is ${on ? "subscribed" : "unsubscribed"}`, {
        ...(on && moved.leftEverything
          ? { description: "Campaigns still pass them by: they left all mail of this project." }
          : {}),
      });
      await queries.invalidateQueries({ queryKey: ["lists"] });
    },
    onError: (error) => toast.error("Nothing was changed", { description: messageOf(error) }),
  });
  if (!may) return null;
  const on = member.status === "subscribed";
  return (
    <div className="relative z-10 inline-block">
      <Menu
        trigger={
          <IconButton label={`Actions for ${member.email}`} size="sm">
            <MoreHorizontal aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onClick={onEdit}>
          <Pencil aria-hidden /> Edit
        </MenuItem>
        {on || member.status === "unconfirmed" ? (
          <MenuItem onClick={() => move.mutate("unsubscribe")}>
            <MailX aria-hidden /> Unsubscribe
          </MenuItem>
        ) : null}
        {!on && (
          <MenuItem onClick={() => move.mutate("subscribe")}>
            <MailCheck aria-hidden /> Subscribe
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger onClick={onRemove}>
          <UserMinus aria-hidden /> Remove from list
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
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api("DELETE /v1/subscribers/{id}", { params: { id: member.id } }),
    onSuccess: async () => {
      toast.success(`${member.email} is off the list`);
      onClose();
      await queries.invalidateQueries({ queryKey: ["lists"] });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove ${member.email} from “${list.name}”?`}
      action="Remove from list"
      onConfirm={() => remove.mutate()}
      pending={remove.isPending}
      error={remove.isError ? messageOf(remove.error) : null}
    >
      What the list’s own fields hold of them is lost, and so is that they ever joined or left.
      Unsubscribe them instead to remember it. The contact stays.
    </ConfirmDialog>
  );
}
