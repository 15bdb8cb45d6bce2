"use client";

import { Plus, Split } from "lucide-react";
import { useState } from "react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { DialogForm } from "@/components/form/dialog-form";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { Button, LinkButton } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Field, Input } from "@/components/ui/field";
import { RelativeTime } from "@/components/ui/relative-time";
import { Select } from "@/components/ui/select";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { useNewDialog, withNew } from "@/components/ui/use-new-dialog";
import type { InboundRoute } from "@/lib/domain/inbound/schema";
import type { Webhook } from "@/lib/domain/webhooks/schema";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { PageQuery } from "@/lib/ground/paging/schema";
import { t } from "@/lib/ground/texts/t";

const inboundRouteCreate = lazySchema(
  async () => (await import("@/lib/domain/inbound/schema")).inboundRouteCreate,
);

/** Which mail goes to which webhook. */
export function RouteList({
  initial,
  query,
  webhooks,
}: {
  initial: ApiAnswer<"GET /v1/inbound/routes">;
  query: PageQuery;
  webhooks: readonly Webhook[];
}) {
  const path = useProjectPath();
  const may = useMay("admin");
  const [deleting, setDeleting] = useState<InboundRoute | null>(null);
  const list = useRead("GET /v1/inbound/routes", { query }, { initial, every: 30_000 });
  return (
    <>
      <ListPage
        list={list}
        href={path("inbound/routes")}
        query={query}
        noMatch={{
          title: t("No routes on this page"),
          hint: t("There are no older routes."),
          showAll: t("Show all routes"),
        }}
        empty={
          <EmptyState
            icon={Split}
            title={t("No routes yet")}
            action={<AddRoute webhooks={webhooks} />}
          >
            {t(
              "Without routes, mail goes to every webhook that listens to email.received. A route sends mail for addresses like support+*@ to one webhook alone.",
            )}
          </EmptyState>
        }
      >
        {(routes) => (
          <Table label={t("Routes")} className="table-fixed">
            <TableHead>
              <HeaderCell>{t("Addresses")}</HeaderCell>
              <HeaderCell>{t("Webhook")}</HeaderCell>
              <HeaderCell className="w-32 max-sm:hidden">{t("Added")}</HeaderCell>
              {may && (
                <HeaderCell className="w-24">
                  <span className="sr-only">{t("Actions")}</span>
                </HeaderCell>
              )}
            </TableHead>
            <tbody>
              {routes.map((route) => (
                <Row key={route.id}>
                  <Cell className="font-mono text-xs wrap-anywhere">{route.pattern}</Cell>
                  <Cell>
                    <RowLink href={path(`webhooks/${route.webhookId}`)} className="block truncate">
                      {route.url}
                    </RowLink>
                    {!route.enabled && <Badge tone="warning">{t("Switched off")}</Badge>}
                  </Cell>
                  <Cell className="text-soft max-sm:hidden">
                    <RelativeTime value={route.createdAt} />
                  </Cell>
                  {may && (
                    <Cell className="text-right">
                      <Button
                        size="sm"
                        variant="ghost"
                        aria-label={t("Delete the route {pattern}", { pattern: route.pattern })}
                        onClick={() => setDeleting(route)}
                      >
                        {t("Delete")}
                      </Button>
                    </Cell>
                  )}
                </Row>
              ))}
            </tbody>
          </Table>
        )}
      </ListPage>
      {deleting && <DeleteDialog route={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

/** The button that adds a route. Renders nothing for those who may not. */
export function AddRoute({ webhooks }: { webhooks: readonly Webhook[] }) {
  const [open, setOpen] = useNewDialog();
  if (!useMay("admin")) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {t("Add route")}
      </Button>
      {open && <AddDialog webhooks={webhooks} onClose={() => setOpen(false)} />}
    </>
  );
}

function AddDialog({ webhooks, onClose }: { webhooks: readonly Webhook[]; onClose: () => void }) {
  const api = useApi();
  const path = useProjectPath();
  const form = useForm({
    initial: { pattern: "", webhookId: webhooks[0]?.id ?? "" },
    schema: inboundRouteCreate,
    send: (body) => api("POST /v1/inbound/routes", { body }),
    onSent: ({ pattern }) => {
      toast.success(t("Mail for {pattern} goes to this webhook from now on", { pattern }));
      onClose();
    },
  });
  return (
    <DialogForm title={t("Add a route")} action={t("Add route")} onClose={onClose} form={form}>
      {webhooks.length === 0 && (
        <Callout kind="info" title={t("There is no webhook yet")}>
          <LinkButton href={path(withNew("webhooks"))} size="sm">
            {t("Add a webhook first")}
          </LinkButton>
        </Callout>
      )}
      <Field
        label={t("Addresses")}
        name="pattern"
        hint={t("* stands for any letters. Without a domain it is for all of them.")}
        error={form.fault("pattern")}
      >
        <Input
          {...form.text("pattern")}
          autoFocus
          autoComplete="off"
          placeholder="support+*@example.com"
        />
      </Field>
      <Field
        label={t("Webhook")}
        name="webhookId"
        hint={t("It gets email.received for this mail, whatever events it listens to.")}
        error={form.fault("webhookId")}
      >
        <Select
          options={webhooks.map(({ id, url }) => ({ value: id, label: url }))}
          value={form.draft.webhookId}
          onChange={(webhookId) => form.set({ webhookId })}
        />
      </Field>
    </DialogForm>
  );
}

function DeleteDialog({ route, onClose }: { route: InboundRoute; onClose: () => void }) {
  const api = useApi();
  return (
    <ConfirmAction
      onClose={onClose}
      title={t("Delete the route {pattern}?", { pattern: route.pattern })}
      action={t("Delete route")}
      run={() => api("DELETE /v1/inbound/routes/{id}", { params: { id: route.id } })}
      undo={() => api("POST /v1/inbound/routes/{id}/restore", { params: { id: route.id } })}
      done={t("The route was deleted")}
    >
      {t("Mail for these addresses then goes to every webhook that listens to email.received.")}
    </ConfirmAction>
  );
}
