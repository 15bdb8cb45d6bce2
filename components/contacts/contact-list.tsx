"use client";

import { Upload, Users } from "lucide-react";
import { useState } from "react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SelectCell, SelectPageCell } from "@/components/list-page/select-cells";
import { SortHeader } from "@/components/list-page/sort-header";
import { useSelection } from "@/components/list-page/use-selection";
import { LinkButton } from "@/components/ui/button";
import { Cell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { ContactListQuery } from "@/lib/domain/contacts/list-schema";
import type { Contact } from "@/lib/domain/contacts/schema";
import { t } from "@/lib/ground/texts/t";
import { AddContact } from "./add-contact";
import { BulkActions } from "./bulk-actions";
import { BulkProgress } from "./bulk-progress";
import { ColumnCell, ColumnHeader, narrower, personWidth } from "./column-cells";
import type { Column } from "./columns";
import { SelectAll } from "./select-all";
import { wireQuery } from "./wire-query";

/** A page of the project's people, with what can be done to several of them. */
export function ContactList({
  initial,
  query,
  columns,
}: {
  initial: ApiAnswer<"GET /v1/contacts">;
  query: ContactListQuery;
  /** What the reader wants to see beside a person. */
  columns: readonly Column[];
}) {
  const path = useProjectPath();
  const [watched, setWatched] = useState<string | null>(null);
  const list = useRead("GET /v1/contacts", { query: wireQuery(query) }, { initial, every: 30_000 });
  return (
    <>
      <BulkProgress watched={watched} onWatch={setWatched} />
      <ListPage
        list={list}
        href={path("contacts")}
        query={query}
        noMatch={{
          title: t("No contacts match"),
          hint: t("No contact matches all of these filters. Tags have to be typed in full."),
          showAll: t("Show all contacts"),
        }}
        empty={<NoContacts />}
      >
        {(contacts) => (
          <ContactTable
            contacts={contacts}
            query={query}
            columns={columns}
            onUnderWay={setWatched}
            hasMore={list.data.nextCursor !== undefined || query.cursor !== undefined}
          />
        )}
      </ListPage>
    </>
  );
}

function ContactTable({
  contacts,
  query,
  columns,
  hasMore,
  onUnderWay,
}: {
  contacts: readonly Contact[];
  query: ContactListQuery;
  columns: readonly Column[];
  /** Whether more people match than are on the page. */
  hasMore: boolean;
  /** Told the id of a change that is under way. */
  onUnderWay: (id: string) => void;
}) {
  const path = useProjectPath();
  const may = useMay("editor");
  const { chosen, has, choose, choosePage, clear, wholePage } = useSelection(
    contacts,
    ({ id }) => id,
  );
  /** How many match, once all of them are chosen. */
  const [all, setAll] = useState<number | null>(null);
  const sorting = { href: path("contacts"), query, byDefault: "-createdAt" };
  const none = () => {
    clear();
    setAll(null);
  };
  return (
    <>
      {may && (
        <BulkActions
          chosen={
            all === null
              ? { kind: "some", contacts: chosen, count: chosen.length }
              : { kind: "all", query, count: all }
          }
          onDone={(underWay) => {
            none();
            if (underWay !== null) onUnderWay(underWay);
          }}
        />
      )}
      {may && ((wholePage && hasMore) || all !== null) && (
        <SelectAll query={query} all={all} onAll={setAll} onNone={none} />
      )}
      <Table label={t("Contacts")} className="table-fixed">
        <TableHead>
          {may && (
            <SelectPageCell
              label={t("Select everybody on this page")}
              wholePage={all !== null || wholePage}
              some={chosen.length > 0}
              onChange={(on) => {
                choosePage(on);
                setAll(null);
              }}
            />
          )}
          <SortHeader
            {...sorting}
            up="email"
            down="-email"
            first="up"
            className={personWidth(columns)}
          >
            {t("Person")}
          </SortHeader>
          {columns.map((column, at) => (
            <ColumnHeader
              key={column}
              column={column}
              columns={columns}
              sorting={sorting}
              className={at > 0 ? narrower(column) : ""}
            />
          ))}
        </TableHead>
        <tbody>
          {contacts.map((contact) => (
            <Row key={contact.id}>
              {may && (
                <SelectCell
                  label={t("Select {name}", { name: contact.email })}
                  checked={all !== null || has(contact.id)}
                  onChange={(on) => {
                    // Without one of them, all are no longer chosen: what stays is the rest of the page.
                    if (all !== null) choosePage(true);
                    choose([contact.id], on);
                    setAll(null);
                  }}
                />
              )}
              <Person contact={contact} href={path(`contacts/${contact.id}`)} />
              {columns.map((column, at) => (
                <ColumnCell
                  key={column}
                  column={column}
                  contact={contact}
                  className={at > 0 ? narrower(column) : ""}
                />
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </>
  );
}

function Person({ contact, href }: { contact: Contact; href: string }) {
  const name = `${contact.firstName} ${contact.lastName}`.trim();
  return (
    <Cell>
      <RowLink href={href} className="block truncate">
        {contact.email}
      </RowLink>
      {name && <span className="block truncate text-soft">{name}</span>}
    </Cell>
  );
}

function NoContacts() {
  const path = useProjectPath();
  const may = useMay("editor");
  return (
    <EmptyState
      icon={Users}
      title={t("No contacts yet")}
      action={
        may && (
          <>
            <LinkButton href={path("contacts/import")} variant="primary">
              <Upload aria-hidden /> {t("Import a CSV")}
            </LinkButton>
            <AddContact variant="secondary" again />
          </>
        )
      }
    >
      {t(
        "Contacts are the people you write to, with what you know about them. Import them from a file, add them from your program, or just send: everybody you write to becomes a contact.",
      )}
    </EmptyState>
  );
}
