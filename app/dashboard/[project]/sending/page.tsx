import type { Metadata } from "next";
import { SendingView } from "@/components/sending/sending-view";
import { listConnections } from "@/lib/domain/connections/connections";
import { getSendingState } from "@/lib/domain/sending-state/read";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../session";

export function generateMetadata(): Metadata {
  return { title: t("Sending") };
}

export default async function SendingPage({ params }: { params: Promise<{ project: string }> }) {
  const { context } = await openProject((await params).project);
  const [state, connections] = await Promise.all([
    getSendingState(context),
    listConnections(context),
  ]);
  return <SendingView initial={state} connections={connections} />;
}
