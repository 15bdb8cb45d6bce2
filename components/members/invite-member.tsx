"use client";

import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useMay, useProject } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { DialogForm } from "@/components/form/dialog-form";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useNewDialog } from "@/components/ui/use-new-dialog";
import type { Role } from "@/db/enums";
import type { SentInvitation } from "@/lib/domain/members/schema";
import { t } from "@/lib/ground/texts/t";
import { RoleField } from "./role-field";

const invitationInput = lazySchema(
  async () => (await import("@/lib/domain/members/schema")).invitationInput,
);

/** The button that asks somebody in. Renders nothing for those who may not. */
export function InviteMember() {
  const [asking, setAsking] = useNewDialog();
  const [unmailed, setUnmailed] = useState<SentInvitation | null>(null);
  if (!useMay("admin")) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setAsking(true)}>
        <UserPlus aria-hidden /> {t("Invite somebody")}
      </Button>
      {asking && (
        <AskIn
          onClose={() => setAsking(false)}
          onUnmailed={(sent) => {
            setAsking(false);
            setUnmailed(sent);
          }}
        />
      )}
      {unmailed && <PassOn sent={unmailed} onClose={() => setUnmailed(null)} />}
    </>
  );
}

function AskIn({
  onClose,
  onUnmailed,
}: {
  onClose: () => void;
  onUnmailed: (sent: SentInvitation) => void;
}) {
  const api = useApi();
  const form = useForm({
    initial: { email: "", role: "editor" as Role },
    schema: invitationInput,
    send: (body) => api("POST /v1/members/invitations", { body }),
    onSent: (sent) => {
      if (!sent.mailed) return onUnmailed(sent);
      toast.success(t("An invitation is on its way to {email}", { email: sent.invitation.email }));
      onClose();
    },
  });
  return (
    <DialogForm
      title={t("Invite somebody")}
      description={t(
        "They get a mail with a link, which is good for seven days, and become a member once they say so.",
      )}
      action={t("Invite")}
      onClose={onClose}
      form={form}
    >
      <Field label={t("Address")} name="email" error={form.fault("email")}>
        <Input
          {...form.text("email")}
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          autoComplete="off"
          placeholder="grace@example.com"
        />
      </Field>
      <RoleField
        value={form.draft.role}
        onChange={(role) => form.set({ role })}
        error={form.fault("role")}
      />
    </DialogForm>
  );
}

/** The invitation stands, and its mail does not leave: its link has to be passed on. */
export function PassOn({ sent, onClose }: { sent: SentInvitation; onClose: () => void }) {
  const { capturing } = useProject();
  const { email, url } = sent.invitation;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("Give {email} this link", { email })}
      description={
        capturing
          ? t(
              "Mail is captured here, so nobody outside receives it. The link opens nothing by itself: they first have to sign in with that address.",
            )
          : t(
              "The mail server did not take the mail. The link opens nothing by itself: they first have to sign in with that address.",
            )
      }
      footer={
        <Button variant="primary" onClick={onClose}>
          {t("Done")}
        </Button>
      }
    >
      <CodeBlock label={t("link of the invitation")} code={url} />
    </Dialog>
  );
}
