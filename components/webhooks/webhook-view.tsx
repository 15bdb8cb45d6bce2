"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { DeleteThing } from "@/components/shell/delete-thing";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Switch } from "@/components/ui/toggle";
import { toast } from "@/components/ui/toast";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { DeliveryQuery, Webhook, WebhookUpdate } from "@/lib/domain/webhooks/schema";
import { DeliveryLog } from "./delivery-log";
import { SecretDialog } from "./secret-dialog";
import { SendTest } from "./send-test";
import { WebhookForm } from "./webhook-form";
import { WebhookStatus } from "./webhook-status";

/** One endpoint: its state, what can be done with it, and the log of its deliveries. */
export function WebhookView({
  initial,
  deliveries,
  query,
}: {
  initial: Webhook;
  deliveries: ApiAnswer<"GET /v1/webhooks/{id}/deliveries">;
  query: DeliveryQuery;
}) {
  const { id: projectId } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const queries = useQueryClient();
  const may = useMay("admin");
  const [editing, setEditing] = useState(false);
  const key = ["webhooks", projectId, initial.id];
  const { data: webhook, ...state } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      api("GET /v1/webhooks/{id}", { params: { id: initial.id } }, { signal }),
    initialData: initial,
    refetchInterval: 15_000,
  });
  const update = useMutation({
    mutationFn: (body: WebhookUpdate) =>
      api("PATCH /v1/webhooks/{id}", { params: { id: initial.id }, body }),
    onSuccess: (changed, asked) => {
      queries.setQueryData(key, changed);
      setEditing(false);
      if (asked.enabled === undefined) toast.success("The webhook is changed");
      else toast.success(asked.enabled ? "The webhook is on" : "The webhook is off");
      return queries.invalidateQueries({ queryKey: ["webhooks", projectId, "list"] });
    },
  });
  return (
    <>
      <PageHeader
        title={webhook.url}
        back={{ href: path("webhooks"), label: "Webhooks" }}
        meta={
          <>
            <WebhookStatus webhook={webhook} />
            <CopyableCode text={webhook.id} what="webhook id" />
          </>
        }
        actions={
          may && (
            <>
              <DeleteThing
                kind="webhook"
                name={webhook.url}
                list="webhooks"
                remove={() => api("DELETE /v1/webhooks/{id}", { params: { id: webhook.id } })}
              >
                It gets nothing any more, and the log of its deliveries is gone.
              </DeleteThing>
              <RotateSecret webhook={webhook} />
              <Button
                onClick={() => {
                  update.reset();
                  setEditing(true);
                }}
              >
                Edit
              </Button>
              <SendTest webhook={webhook} />
            </>
          )
        }
      />
      <NotUpToDate error={state.error} what="page">
        It is asked for again every few seconds.
      </NotUpToDate>
      <Standing webhook={webhook} />
      <div className="mb-9 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div>
          <h2 className="eyebrow mb-2">Told of</h2>
          <ul className="flex max-w-2xl flex-wrap gap-1.5">
            {webhook.events.map((event) => (
              <li key={event}>
                <Badge>{event === "*" ? "All events" : event}</Badge>
              </li>
            ))}
          </ul>
        </div>
        {may && (
          <Switch
            label="Deliver events"
            hint="While it is off, events pass it by."
            checked={webhook.enabled}
            disabled={update.isPending}
            onChange={(enabled) =>
              update.mutate(
                { enabled },
                {
                  onError: (error) => toast.error("Not changed", { description: messageOf(error) }),
                },
              )
            }
          />
        )}
      </div>
      <DeliveryLog webhook={webhook} initial={deliveries} query={query} />
      {editing && (
        <WebhookForm
          title="Edit the webhook"
          action="Save"
          initial={webhook}
          onClose={() => setEditing(false)}
          onSubmit={({ url, events }) => update.mutate({ url, events })}
          pending={update.isPending}
          error={update.error}
        />
      )}
    </>
  );
}

/** What the state means, where it is not simply on. */
function Standing({ webhook }: { webhook: Webhook }) {
  if (!webhook.enabled && webhook.disabledReason) {
    return (
      <div className="mb-7">
        <Callout kind="danger" title="Switched off">
          {webhook.disabledReason} Once the endpoint is well, switch it on and retry what it missed.
        </Callout>
      </div>
    );
  }
  if (webhook.enabled && webhook.failingSince) {
    return (
      <div className="mb-7">
        <Callout kind="warning" title="Nothing but failures">
          They began <RelativeTime value={webhook.failingSince} />. Each delivery is tried ten times
          over three days; after five days of failures the webhook is switched off.
        </Callout>
      </div>
    );
  }
  return null;
}

function RotateSecret({ webhook }: { webhook: Webhook }) {
  const api = useApi();
  const [asking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useMutation({
    mutationFn: () => api("POST /v1/webhooks/{id}/rotate-secret", { params: { id: webhook.id } }),
    onSuccess: (made) => {
      setAsking(false);
      setSecret(made.secret);
    },
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>Replace secret</Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Replace the signing secret?"
        action="Replace secret"
        onConfirm={() => rotate.mutate()}
        pending={rotate.isPending}
        error={rotate.isError ? messageOf(rotate.error) : null}
      >
        The old one stops signing at once. Until your program knows the new one, it refuses calls;
        they are made again later.
      </ConfirmDialog>
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
