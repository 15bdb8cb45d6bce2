"use client";

import { CircleCheck, Clock } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useMay, useProject } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { ConfirmAction } from "@/components/form/confirm-action";
import { DialogForm } from "@/components/form/dialog-form";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Section } from "@/components/ui/page-header";
import { Status } from "@/components/ui/status";
import { toast } from "@/components/ui/toast";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";

const domainUpdate = lazySchema(
  async () => (await import("@/lib/domain/sending-domains/schema")).domainUpdate,
);

/** A link as readers see it, under this installation's address with another host. */
function exampleUnder(appUrl: string, host: string | null): string {
  const url = new URL(appUrl);
  if (host !== null) url.hostname = host;
  return `${url.href.replace(/\/$/, "")}/t/c/AaIHS2xQ…`;
}

const asCode = (words: ReactNode) => (
  <span className="font-mono text-xs wrap-anywhere text-ink">{words}</span>
);

/** Where the links of a domain's mail lead: to this installation's name, or to a host of its own. */
export function DomainLinks({ domain }: { domain: Domain }) {
  const { appUrl } = useProject();
  const may = useMay("admin");
  const [asks, setAsks] = useState<"host" | "off" | null>(null);
  const api = useApi();
  const { trackingHost: host, trackingHostActive: active } = domain;
  return (
    <Section
      title={t("Links")}
      description={t(
        "Links, pictures and the ways to unsubscribe in your mail lead to this server’s name, unless you give them one of your own. Readers then see your name, and its reputation is yours alone.",
      )}
      actions={
        may && (
          <>
            {host !== null && (
              <Button size="sm" onClick={() => setAsks("off")}>
                {t("Turn off")}
              </Button>
            )}
            <Button size="sm" onClick={() => setAsks("host")}>
              {host === null ? t("Use your own name") : t("Change name")}
            </Button>
          </>
        )
      }
    >
      <div className="mt-4 flex flex-col gap-2 text-sm">
        {host !== null && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-mono text-xs wrap-anywhere">{host}</span>
            {active ? (
              <Status tone="success" icon={CircleCheck}>
                {t("In use")}
              </Status>
            ) : (
              <Status tone="info" icon={Clock}>
                {t("Not in use yet")}
              </Status>
            )}
          </div>
        )}
        <p className="text-soft">
          {rich("A link in your mail: <code>{link}</code>", {
            link: exampleUnder(appUrl, active ? host : null),
            code: asCode,
          })}
        </p>
        {host !== null && !active && (
          <p className="max-w-2xl text-soft">
            {domain.status === "VERIFIED"
              ? t(
                  "Publish the CNAME record shown with the other records. As soon as it is found and the name answers, new mail uses it.",
                )
              : t("The domain has to be verified first, and the CNAME record published.")}
          </p>
        )}
      </div>
      {asks === "host" && <NameHost domain={domain} onClose={() => setAsks(null)} />}
      {asks === "off" && (
        <ConfirmAction
          title={t("Stop using {host}?", { host })}
          action={t("Turn off")}
          run={() =>
            api("PATCH /v1/domains/{id}", {
              params: { id: domain.id },
              body: { trackingHost: null },
            })
          }
          done={t("New mail leads to this server’s name")}
          onClose={() => setAsks(null)}
        >
          {t(
            "New mail leads to this server’s name again. Keep the CNAME record: links in mail that has gone out need it.",
          )}
        </ConfirmAction>
      )}
    </Section>
  );
}

function NameHost({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const api = useApi();
  const { appUrl } = useProject();
  const form = useForm({
    initial: { trackingHost: domain.trackingHost ?? `links.${domain.name}` },
    schema: domainUpdate,
    send: (body) => api("PATCH /v1/domains/{id}", { params: { id: domain.id }, body }),
    onSent: () => {
      toast.success(t("The name is saved"), {
        description: t("Now publish the CNAME record shown with the other records."),
      });
      onClose();
    },
  });
  const { trackingHost } = form.draft;
  const isName = /^[\w-]+(?:\.[\w-]+)+$/.test(trackingHost);
  return (
    <DialogForm
      title={t("Your own name for links")}
      description={
        domain.trackingHost === null
          ? t("Needs a CNAME record at your DNS provider.")
          : t(
              "Needs a CNAME record at your DNS provider. Keep that of the name before: links in mail that has gone out need it.",
            )
      }
      action={t("Save name")}
      onClose={onClose}
      form={form}
    >
      <Field
        label={t("Name")}
        name="trackingHost"
        hint={t("A name below {name} that is used for nothing else.", { name: domain.name })}
        error={form.fault("trackingHost")}
      >
        <Input
          {...form.text("trackingHost")}
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          className="font-mono"
        />
      </Field>
      <p className="text-sm text-soft">
        {rich("A link in your mail will look like this: <code>{link}</code>", {
          link: exampleUnder(appUrl, isName ? trackingHost : null),
          code: asCode,
        })}
      </p>
    </DialogForm>
  );
}
