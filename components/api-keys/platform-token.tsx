"use client";

import { Eye, RefreshCw } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useProject } from "@/components/api/project-context";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyTextButton } from "@/components/ui/copy-button";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import type { PlatformToken as Token } from "@/lib/domain/projects/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";

/** The reader's own token for the platform API: hidden until asked for, replaced here. */
export function PlatformToken({ initial }: { initial: Token }) {
  const { appUrl } = useProject();
  const api = useApi();
  const [{ last4, rotatedAt }, setToken] = useState(initial);
  const [text, setText] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const show = (shown: Token & { token: string }) => {
    setToken(shown);
    setText(shown.token);
  };
  const reveal = useAction({
    mutationFn: () => api("POST /v1/platform-token/reveal", {}),
    onSuccess: show,
  });
  return (
    <Section
      title={t("Platform token")}
      description={t(
        "For programs that use the platform API: lists, subscribers, campaigns, files. It belongs to you, has your permissions in this project, and nobody else can see it.",
      )}
    >
      {reveal.isError && (
        <div className="mb-3">
          <Callout kind="danger" alert>
            {messageOf(reveal.error)}
          </Callout>
        </div>
      )}
      {last4 === null && (
        <div className="mb-3">
          <Callout kind="warning">
            {t(
              "Your token cannot be shown: it was stored under another secret of this installation, or is damaged. Programs that have it are still served. Replace it to see one.",
            )}
          </Callout>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-y py-3">
        <div className="min-w-0 flex-1">
          <code className="block font-mono text-sm wrap-anywhere" data-testid="platform-token">
            {text ?? `••••••••••••${last4 ?? ""}`}
          </code>
          <span className="text-xs text-faint">
            {rich("created {time}", { time: <RelativeTime value={rotatedAt} /> })}
          </span>
        </div>
        {text !== null ? (
          <CopyTextButton text={text} label={t("Copy token")} size="sm" variant="primary" />
        ) : last4 === null ? null : (
          <Button size="sm" pending={reveal.isPending} onClick={() => reveal.mutate()}>
            <Eye aria-hidden /> {t("Show")}
          </Button>
        )}
        <Button size="sm" onClick={() => setAsking(true)}>
          <RefreshCw aria-hidden /> {t("Replace")}
        </Button>
      </div>
      <div className="mt-4">
        <h3 className="mb-1.5 text-sm font-medium">{t("Read your lists from a program")}</h3>
        <CodeBlock
          label={t("platform curl command")}
          code={`curl "${appUrl}/api/v1/lists?api_token=${text ?? "YOUR_TOKEN"}"`}
        />
      </div>
      <ConfirmAction
        open={asking}
        onClose={() => setAsking(false)}
        title={t("Replace your platform token?")}
        action={t("Replace token")}
        run={() => api("POST /v1/platform-token/rotate", {})}
        done={t("You have a new platform token")}
        onDone={show}
      >
        {last4 === null
          ? t(
              "Programs that use the present token will be refused until they have the new one. You cannot undo this.",
            )
          : t(
              "Programs that use the token ending in {last4} will be refused until they have the new one. You cannot undo this.",
              { last4 },
            )}
      </ConfirmAction>
    </Section>
  );
}
