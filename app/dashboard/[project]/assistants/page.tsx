import type { Metadata } from "next";
import { AssistantList } from "@/components/assistants/assistant-list";
import { ConnectAssistant } from "@/components/assistants/connect-assistant";
import { PageHeader } from "@/components/ui/page-header";
import { listAssistants } from "@/lib/domain/assistants/assistants";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../session";

export function generateMetadata(): Metadata {
  return { title: t("Assistants") };
}

export default async function AssistantsPage({ params }: { params: Promise<{ project: string }> }) {
  const { context } = await openProject((await params).project);
  return (
    <>
      <PageHeader
        title={t("Assistants")}
        description={t(
          "AI assistants that speak the Model Context Protocol can send mail, look after contacts and run campaigns. The audit log has everything they change.",
        )}
      />
      <AssistantList initial={await listAssistants(context)} />
      <div className="mt-12">
        <ConnectAssistant />
      </div>
    </>
  );
}
