"use client";

import { useQuery } from "@tanstack/react-query";
import { SearchX, Upload, Users } from "lucide-react";
import { useState } from "react";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { pageHref } from "@/components/list/use-filters";
import { LinkButton } from "@/components/ui/button";
import { Pagination } from "@/components/list/pagination";
import { RelativeTime } from "@/components/ui/relative-time";
import { EmptyState } from "@/components/list/empty-state";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import { Checkbox } from "@/components/ui/toggle";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Contact, ContactQuery } from "@/lib/domain/contacts/schema";
import { AddContact } from "./add-contact";
import { BulkActions } from "./bulk-actions";
import { Subscription } from "./subscription";
import { isFiltered, wireQuery } from "./wire-query";

const tagsShown = 3;

/** A page of the project's people, with what can be done to several of them. */
export function ContactList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/contacts">;
  query: ContactQuery;
}) {
  const { id } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const may = useMay("editor");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const list = useQuery({
    queryKey: ["contacts", id, "list", query],
    queryFn: ({ signal }) => api("GET /v1/contacts", { query: wireQuery(query) }, { signal }),
    initialData: initial,
    refetchInterval: 30_000,
  });
  const { data, nextCursor } = list.data;
  // One that went away meanwhile is no longer chosen.
  const selection = data.filter((contact) => chosen.has(contact.id));
  const choose = (ids: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const one of ids) {
      if (on) next.add(one);
      else next.delete(one);
    }
    setChosen(next);
  };
  return (
    <>
      <NotUpToDate error={list.error} what="list">
        It is asked for again every half minute.
      </NotUpToDate>
      {data.length === 0 ? (
        <Nothing query={query} />
      ) : (
        <>
          {may && <BulkActions contacts={selection} onDone={() => setChosen(new Set())} />}
          <Table label="Contacts" className="table-fixed">
            <TableHead>
              {may && (
                <HeaderCell className="w-9">
                  <Checkbox
                    label="Choose everybody on this page"
                    labelHidden
                    checked={selection.length === data.length}
                    indeterminate={selection.length > 0 && selection.length < data.length}
                    onChange={(on) =>
                      choose(
                        data.map((contact) => contact.id),
                        on,
                      )
                    }
                  />
                </HeaderCell>
              )}
              <HeaderCell>Person</HeaderCell>
              <HeaderCell className="w-36">Subscription</HeaderCell>
              <HeaderCell className="w-1/4 max-md:hidden">Tags</HeaderCell>
              <HeaderCell className="w-32 text-right! max-sm:hidden">Added</HeaderCell>
            </TableHead>
            <tbody>
              {data.map((contact) => (
                <Row key={contact.id}>
                  {may && (
                    <Cell>
                      <div className="relative z-10 w-fit">
                        <Checkbox
                          label={`Choose ${contact.email}`}
                          labelHidden
                          checked={chosen.has(contact.id)}
                          onChange={(on) => choose([contact.id], on)}
                        />
                      </div>
                    </Cell>
                  )}
                  <Person contact={contact} href={path(`contacts/${contact.id}`)} />
                </Row>
              ))}
            </tbody>
          </Table>
        </>
      )}
      <Pagination
        firstHref={query.cursor ? pageHref(path("contacts"), wireQuery(query), null) : null}
        nextHref={nextCursor ? pageHref(path("contacts"), wireQuery(query), nextCursor) : null}
      />
    </>
  );
}

function Person({ contact, href }: { contact: Contact; href: string }) {
  const name = `${contact.firstName} ${contact.lastName}`.trim();
  const more = contact.tags.length - tagsShown;
  return (
    <>
      <Cell>
        <RowLink href={href} className="block truncate">
          {contact.email}
        </RowLink>
        {name && <span className="block truncate text-soft">{name}</span>}
      </Cell>
      <Cell>
        <Subscription subscribed={contact.subscribed} />
      </Cell>
      <Cell className="max-md:hidden">
        <span className="flex flex-wrap gap-1 overflow-hidden">
          {contact.tags.slice(0, tagsShown).map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
          {more > 0 && <span className="text-xs text-faint">and {more} more</span>}
        </span>
      </Cell>
      <Cell className="text-right text-soft max-sm:hidden">
        <RelativeTime value={contact.createdAt} />
      </Cell>
    </>
  );
}

function Nothing({ query }: { query: ContactQuery }) {
  const path = useProjectPath();
  const may = useMay("editor");
  if (isFiltered(query) || query.cursor) {
    return (
      <EmptyState
        icon={SearchX}
        title="Nobody matches"
        action={<LinkButton href={path("contacts")}>Show all contacts</LinkButton>}
      >
        No contact fits every filter. A tag has to be written out in full.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Users}
      title="Nobody here yet"
      action={
        may && (
          <>
            <LinkButton href={path("contacts/import")} variant="primary">
              <Upload aria-hidden /> Import a CSV
            </LinkButton>
            <AddContact variant="secondary" />
          </>
        )
      }
    >
      Contacts are the people you write to, with what you know of them. They come from a file, from
      your program, or by themselves with the first mail that goes to them.
    </EmptyState>
  );
}
