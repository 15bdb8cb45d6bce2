"use client";

import { Share2 } from "lucide-react";
import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { instantOf } from "@/components/form/local-time";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { CopyTextButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import type { ReportLink } from "@/lib/domain/campaign-reports/schema";
import { t } from "@/lib/ground/texts/t";

const reportLinkInput = lazySchema(
  async () => (await import("@/lib/domain/campaign-reports/schema")).reportLinkInput,
);

/** The button that makes a link to a campaign's report, and shows it. Renders nothing for those who may not. */
export function ShareReport({
  campaignId,
  small = false,
}: {
  campaignId: string;
  small?: boolean;
}) {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<ReportLink | null>(null);
  if (!useMay("editor")) return null;
  return (
    <>
      <Button size={small ? "sm" : "md"} onClick={() => setOpen(true)}>
        <Share2 aria-hidden /> {t("Share report")}
      </Button>
      {open && (
        <ShareDialog
          campaignId={campaignId}
          onClose={() => setOpen(false)}
          onMade={(link) => {
            setOpen(false);
            setMade(link);
          }}
        />
      )}
      {made && <MadeDialog link={made} onClose={() => setMade(null)} />}
    </>
  );
}

function ShareDialog({
  campaignId,
  onClose,
  onMade,
}: {
  campaignId: string;
  onClose: () => void;
  onMade: (link: ReportLink) => void;
}) {
  const api = useApi();
  const form = useForm({
    initial: { name: "", expiresAt: "" },
    schema: reportLinkInput,
    input: ({ name, expiresAt }) => ({
      name,
      ...(expiresAt === "" ? {} : { expiresAt: instantOf(expiresAt) }),
    }),
    leaves: true,
    send: (body) =>
      api("POST /v1/campaigns/{id}/report-links", { params: { id: campaignId }, body }),
    onSent: onMade,
  });
  return (
    <DialogForm
      title={t("Share the report")}
      description={t(
        "Whoever has the link reads the campaign’s figures, its links and its mail without signing in. No person is in it, and you can revoke it at any time.",
      )}
      action={t("Make a link")}
      onClose={onClose}
      form={form}
    >
      <Field
        label={t("Whom it is for")}
        name="name"
        optional
        hint={t("So that you recognise the link later; the report does not show it.")}
        error={form.fault("name")}
      >
        <Input {...form.text("name")} autoFocus autoComplete="off" placeholder={t("The board")} />
      </Field>
      <Field
        label={t("Until")}
        name="expiresAt"
        optional
        hint={t("In your time. Without an end it opens until you revoke it.")}
        error={form.fault("expiresAt")}
        className="max-w-xs"
      >
        <Input {...form.text("expiresAt")} type="datetime-local" />
      </Field>
    </DialogForm>
  );
}

function MadeDialog({ link, onClose }: { link: ReportLink; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("The link is ready")}
      description={t(
        "You find it again below the campaign’s results, with how often it was opened.",
      )}
      footer={<Button onClick={onClose}>{t("Done")}</Button>}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-accent bg-accent-wash px-4 py-3">
        <code className="min-w-0 flex-1 font-mono text-xs wrap-anywhere" data-testid="report-link">
          {link.url}
        </code>
        <CopyTextButton text={link.url} label={t("Copy link")} variant="primary" size="sm" />
      </div>
    </Dialog>
  );
}
