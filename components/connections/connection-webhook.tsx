import { CopyableCode } from "@/components/ui/copy-button";
import type { Connection } from "@/lib/domain/connections/schema";
import { providers } from "./connection-kinds";

/** Where a provider is to send its events, and how; for those who may change connections. */
export function ConnectionWebhook({
  connection,
}: {
  connection: Exclude<Connection, { kind: "smtp" | "mx" }>;
}) {
  const { kind, webhookUrl, hasWebhookSecret } = connection;
  const { label, webhook, secret } = providers[kind];
  const missing = secret ? `“${secret.label}” is entered` : "a topic of yours is confirmed";
  if (webhookUrl === null) return null;
  return (
    <div className="text-sm text-soft">
      <p className="font-medium text-ink">
        {hasWebhookSecret
          ? `Webhook for ${label}’s reports`
          : `${label}’s reports are refused until ${missing}`}
      </p>
      <CopyableCode text={webhookUrl} what="webhook address" />
      {connection.kind === "ses" && connection.topicArn !== null && (
        <p className="mt-1">
          Taken from the topic{" "}
          <span className="font-mono text-xs wrap-anywhere">{connection.topicArn}</span> alone.
        </p>
      )}
      {hasWebhookSecret ? (
        <details className="mt-1">
          <summary className="w-fit">How to set it up</summary>
          <p className="mt-1 max-w-2xl">{webhook}</p>
        </details>
      ) : (
        <p className="mt-1 max-w-2xl">{webhook}</p>
      )}
    </div>
  );
}
