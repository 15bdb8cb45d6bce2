import type { Metadata } from "next";
import { ConnectionList } from "@/components/connections/connection-list";
import { listConnections } from "@/lib/domain/connections/connections";
import { mayUseMx } from "@/lib/domain/connections/settings";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Sending connections") };
}

export default async function ConnectionsPage({
  params,
}: {
  params: Promise<{ project: string }>;
}) {
  const { context } = await openProject((await params).project);
  return <ConnectionList initial={await listConnections(context)} mx={mayUseMx()} />;
}
