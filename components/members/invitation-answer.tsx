"use client";

import type { ReactNode } from "react";
import { messageOf } from "@/components/api/faults";
import { useAction } from "@/components/form/use-action";
import { post } from "@/components/sign-in/post";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import type { OwnInvitation } from "@/lib/domain/members/schema";
import { roleWords } from "@/lib/domain/members/terms";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";

const b = (words: ReactNode) => <strong className="font-medium text-ink">{words}</strong>;

/** Who asks somebody into a project, as what, and both answers. */
export function InvitationAnswer({ invitation }: { invitation: OwnInvitation }) {
  const { id, name, role, invitedBy } = invitation;
  const answer = useAction({
    mutationFn: (accepts: boolean) =>
      post<{ projectId: string }>("/api/auth/invitations", { id, accepts }),
    leaves: true,
    // A whole page: what the old one has read does not know the project.
    onSuccess: ({ projectId }, accepts) =>
      window.location.assign(accepts ? `/dashboard/${projectId}` : "/dashboard"),
  });
  const pending = (accepts: boolean) => answer.isPending && answer.variables === accepts;
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm text-soft">
        {invitedBy
          ? rich(
              "<b>{invitedBy}</b> asks you to become {role, select, owner {an <b>owner</b>} admin {an <b>admin</b>} editor {an <b>editor</b>} other {a <b>viewer</b>}} of {name}.",
              { invitedBy, role, name, b },
            )
          : rich(
              "You are asked to become {role, select, owner {an <b>owner</b>} admin {an <b>admin</b>} editor {an <b>editor</b>} other {a <b>viewer</b>}} of {name}.",
              { role, name, b },
            )}{" "}
        {roleWords[role]}
      </p>
      {answer.isError && (
        <Callout kind="danger" alert>
          {messageOf(answer.error)}
        </Callout>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="primary"
          size="lg"
          pending={pending(true)}
          disabled={answer.isPending}
          onClick={() => answer.mutate(true)}
        >
          {t("Join {name}", { name })}
        </Button>
        <Button
          size="lg"
          pending={pending(false)}
          disabled={answer.isPending}
          onClick={() => answer.mutate(false)}
        >
          {t("No, thanks")}
        </Button>
      </div>
    </div>
  );
}
