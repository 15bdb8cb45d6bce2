import { CopyableCode } from "@/components/ui/copy-button";
import type { Connection } from "@/lib/domain/connections/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { providers } from "./connection-kinds";

/** Where a provider is to send its events, and how; for those who may change connections. */
export function ConnectionWebhook({
  connection,
}: {
  connection: Exclude<Connection, { kind: "smtp" | "mx" }>;
}) {
  const { kind, webhookUrl, hasWebhookSecret } = connection;
  const { name: provider, webhook, secret } = providers[kind];
  if (webhookUrl === null) return null;
  return (
    <div className="text-sm text-soft">
      <p className="font-medium text-ink">
        {hasWebhookSecret
          ? t("Webhook for {provider}’s reports", { provider })
          : secret
            ? t("{provider}’s reports are refused until “{secret}” is entered", {
                provider,
                secret: secret.label,
              })
            : t("{provider}’s reports are refused until a topic of yours is confirmed", {
                provider,
              })}
      </p>
      <CopyableCode text={webhookUrl} what={t("webhook address")} />
      {connection.kind === "ses" && connection.topicArn !== null && (
        <p className="mt-1">
          {rich("Taken from the topic <code>{topic}</code> alone.", {
            topic: connection.topicArn,
            code: (words) => <span className="font-mono text-xs wrap-anywhere">{words}</span>,
          })}
        </p>
      )}
      {hasWebhookSecret ? (
        <details className="mt-1">
          <summary className="w-fit">{t("How to set it up")}</summary>
          <p className="mt-1 max-w-2xl">{webhook}</p>
        </details>
      ) : (
        <p className="mt-1 max-w-2xl">{webhook}</p>
      )}
    </div>
  );
}
