"use client";

import { useProject } from "@/components/api/project-context";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/page-header";

/** How an AI assistant is connected to the tool server. */
export function Assistants() {
  const { appUrl } = useProject();
  const settings = {
    mcpServers: {
      lettermill: {
        type: "http",
        url: `${appUrl}/mcp`,
        headers: { Authorization: "Bearer YOUR_KEY" },
      },
    },
  };
  return (
    <Section
      title="AI assistants"
      description="Assistants that speak the Model Context Protocol can send mail, look after contacts and run campaigns with one of your keys. Give them a key of their own: you see in the audit log what they did, and can revoke it."
    >
      <h3 className="mb-1.5 text-sm font-medium">Settings for the assistant</h3>
      <CodeBlock label="settings for an assistant" code={JSON.stringify(settings, null, 2)} />
    </Section>
  );
}
