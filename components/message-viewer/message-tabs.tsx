"use client";

import { Paperclip } from "lucide-react";
import { CodeBlock } from "@/components/ui/code-block";
import { formatBytes } from "@/components/ui/numbers";
import { Tabs } from "@/components/ui/tabs";
import type { ApiAnswer } from "@/lib/doors/http/client";
import { t } from "@/lib/ground/texts/t";
import { MailFrame } from "./mail-frame";

export type Message = Pick<
  ApiAnswer<"GET /v1/captured/{id}">,
  "subject" | "html" | "text" | "headers" | "attachments" | "raw" | "size"
>;

/** One message in every form: as people see it, as plain text, its headers, its source. */
export function MessageTabs({
  message,
  attachmentHref,
  documentHref,
  received = false,
}: {
  message: Message;
  /** Where its HTML is shown with pictures from other servers, for those who ask for them. */
  documentHref?: string;
  /** Where the file at a position can be downloaded. */
  attachmentHref: (position: number) => string;
  /** Others sent it. */
  received?: boolean;
}) {
  const { html, text, headers, attachments, raw, size } = message;
  const bytes = new TextEncoder().encode(raw).length;
  return (
    <Tabs
      label={t("Message")}
      tabs={[
        ...(html === null
          ? []
          : [
              {
                value: "html",
                label: t("Preview"),
                content: (
                  <MailFrame
                    html={html}
                    title={message.subject || t("Message")}
                    received={received}
                    {...(documentHref === undefined ? {} : { documentHref })}
                  />
                ),
              },
            ]),
        {
          value: "text",
          label: t("Plain text"),
          content: text?.trim() ? (
            <CodeBlock code={text} label={t("Plain text")} wrap />
          ) : (
            <p className="text-sm text-soft">{t("This message has no plain-text part.")}</p>
          ),
        },
        {
          value: "headers",
          label: t("Headers"),
          content: <Headers headers={headers} />,
        },
        {
          value: "source",
          label: t("Source"),
          content: (
            <>
              <CodeBlock code={raw} label={t("Source")} />
              {bytes < size && (
                <p className="mt-2 text-xs text-faint">
                  {t("Showing the first {bytes} of {size}.", {
                    bytes: formatBytes(bytes),
                    size: formatBytes(size),
                  })}
                </p>
              )}
            </>
          ),
        },
        ...(attachments.length === 0
          ? []
          : [
              {
                value: "attachments",
                label: t("Attachments ({count})", { count: attachments.length }),
                content: <Attachments attachments={attachments} hrefOf={attachmentHref} />,
              },
            ]),
      ]}
    />
  );
}

function Headers({ headers }: Pick<Message, "headers">) {
  return (
    <dl className="grid grid-cols-1 text-sm sm:grid-cols-[max-content_minmax(0,1fr)] sm:gap-x-6">
      {headers.map(({ name, value }, index) => (
        <div
          key={index}
          className="border-b py-1.5 last:border-b-0 sm:col-span-2 sm:grid sm:grid-cols-subgrid sm:items-baseline"
        >
          <dt className="font-medium">{name}</dt>
          <dd className="min-w-0 font-mono text-xs leading-5 wrap-anywhere text-soft">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Attachments({
  attachments,
  hrefOf,
}: Pick<Message, "attachments"> & { hrefOf: (position: number) => string }) {
  return (
    <ul>
      {attachments.map((attachment, index) => (
        <li key={index} className="flex items-center gap-3 border-b py-2.5 text-sm last:border-b-0">
          <Paperclip className="size-4 shrink-0 text-faint" aria-hidden />
          <span className="min-w-0 flex-1">
            <a
              href={hrefOf(index)}
              download={attachment.filename || "attachment"}
              className="block truncate font-medium text-accent-ink underline decoration-from-font underline-offset-4"
            >
              {attachment.filename || t("(no file name)")}
            </a>
            <span className="block truncate text-xs text-faint">
              {attachment.inline
                ? t("{contentType}, shown in the message", { contentType: attachment.contentType })
                : attachment.contentType}
            </span>
          </span>
          <span className="whitespace-nowrap text-soft">{formatBytes(attachment.size)}</span>
        </li>
      ))}
    </ul>
  );
}
