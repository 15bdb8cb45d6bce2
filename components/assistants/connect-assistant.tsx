"use client";

import type { ReactNode } from "react";
import { useProject } from "@/components/api/project-context";
import { KeyExample, ReaderKey } from "@/components/reference/reader-key";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/page-header";
import { Tabs } from "@/components/ui/tabs";
import { t } from "@/lib/ground/texts/t";

const json = (value: object) => JSON.stringify(value, null, 2);
/** What the examples show in place of the reader's key. */
const bearer = "Bearer $LETTERMILL_API_KEY";
const headers = { Authorization: bearer };

function Steps({ children }: { children: ReactNode }) {
  return (
    <ol className="mb-3 flex max-w-prose list-decimal flex-col gap-1 pl-5 text-sm marker:text-faint">
      {children}
    </ol>
  );
}

/** How the common clients connect: by signing in, or with a key if they cannot. */
export function ConnectAssistant() {
  const { appUrl } = useProject();
  const url = `${appUrl}/mcp`;
  const address = (
    <>
      <CodeBlock label={t("address of the tool server")} code={url} />
      {!appUrl.startsWith("https:") && (
        <p className="mt-2 text-sm text-soft">
          {t("It runs elsewhere and cannot reach this address: that takes an APP_URL with https.")}
        </p>
      )}
    </>
  );
  return (
    <>
      <Section
        title={t("Connect by signing in")}
        description={t(
          "The assistant opens a page of Lettermill, where you choose a project and what it may do. No key changes hands.",
        )}
      >
        <Tabs
          label={t("Assistants")}
          tabs={[
            {
              value: "claude",
              label: "Claude",
              content: (
                <>
                  <Steps>
                    <li>
                      {t("Open Settings, then Connectors, and choose “Add custom connector”.")}
                    </li>
                    <li>{t("Name it Lettermill and enter the address below.")}</li>
                    <li>{t("Choose “Connect”, and allow it here.")}</li>
                  </Steps>
                  {address}
                </>
              ),
            },
            {
              value: "chatgpt",
              label: "ChatGPT",
              content: (
                <>
                  <Steps>
                    <li>
                      {t(
                        "Open Settings, then Apps & Connectors, and turn on developer mode under Advanced settings.",
                      )}
                    </li>
                    <li>{t("Create a connector with the address below, and OAuth to sign in.")}</li>
                    <li>{t("Choose “Connect”, and allow it here.")}</li>
                  </Steps>
                  {address}
                </>
              ),
            },
            {
              value: "claude-code",
              label: "Claude Code",
              content: (
                <>
                  <Steps>
                    <li>{t("Run the command below.")}</li>
                    <li>{t("Enter /mcp in a session, choose lettermill, and allow it here.")}</li>
                  </Steps>
                  <CodeBlock
                    label={t("command for Claude Code")}
                    code={`claude mcp add --transport http lettermill ${url}`}
                  />
                </>
              ),
            },
            {
              value: "cursor",
              label: "Cursor",
              content: (
                <>
                  <Steps>
                    <li>{t("Put this into ~/.cursor/mcp.json.")}</li>
                    <li>{t("Open Settings, then MCP, choose “Connect”, and allow it here.")}</li>
                  </Steps>
                  <CodeBlock
                    label={t("settings for Cursor")}
                    code={json({ mcpServers: { lettermill: { url } } })}
                  />
                </>
              ),
            },
            {
              value: "vscode",
              label: "VS Code",
              content: (
                <>
                  <Steps>
                    <li>{t("Put this into .vscode/mcp.json.")}</li>
                    <li>{t("Choose “Start” above the entry, and allow it here.")}</li>
                  </Steps>
                  <CodeBlock
                    label={t("settings for VS Code")}
                    code={json({ servers: { lettermill: { type: "http", url } } })}
                  />
                </>
              ),
            },
          ]}
        />
      </Section>
      <div className="mt-12">
        <Section
          title={t("Connect with a key")}
          description={t(
            "For assistants that cannot open a page. Give each a key of its own: the audit log names it, and you can revoke it.",
          )}
        >
          <div className="mb-8">
            <ReaderKey
              keyName={t("Assistant")}
              hint={t("The settings below will hold it, and it never leaves this tab.")}
            />
          </div>
          <Tabs
            label={t("Ways to connect with a key")}
            tabs={[
              {
                value: "claude-code",
                label: "Claude Code",
                content: (
                  <KeyExample
                    label={t("command for Claude Code with a key")}
                    code={`claude mcp add --transport http lettermill ${url} --header "Authorization: ${bearer}"`}
                  />
                ),
              },
              {
                value: "cursor",
                label: "Cursor",
                content: (
                  <KeyExample
                    label={t("settings for Cursor with a key, in ~/.cursor/mcp.json")}
                    code={json({ mcpServers: { lettermill: { url, headers } } })}
                  />
                ),
              },
              {
                value: "vscode",
                label: "VS Code",
                content: (
                  <KeyExample
                    label={t("settings for VS Code with a key, in .vscode/mcp.json")}
                    code={json({ servers: { lettermill: { type: "http", url, headers } } })}
                  />
                ),
              },
              {
                value: "http",
                label: t("Others over HTTP"),
                content: (
                  <KeyExample
                    label={t("settings over HTTP")}
                    code={json({ mcpServers: { lettermill: { type: "http", url, headers } } })}
                  />
                ),
              },
              {
                value: "stdio",
                label: t("Others as a program"),
                content: (
                  <KeyExample
                    label={t("settings for a program")}
                    code={json({
                      mcpServers: {
                        lettermill: {
                          command: "npm",
                          args: ["run", "-s", "mcp", "--prefix", "/path/to/lettermill"],
                          env: {
                            SERVICE_API_KEY: "$LETTERMILL_API_KEY",
                            SERVICE_API_URL: appUrl,
                          },
                        },
                      },
                    })}
                  />
                ),
              },
            ]}
          />
        </Section>
      </div>
    </>
  );
}
