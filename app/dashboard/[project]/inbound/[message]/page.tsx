import type { Metadata } from "next";
import { InboundView } from "@/components/inbound/inbound-view";
import { getInbound } from "@/lib/domain/inbound/read";
import { t } from "@/lib/ground/texts/t";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Message") };
}

export default async function InboundMessagePage({
  params,
}: {
  params: Promise<{ project: string; message: string }>;
}) {
  const { project, message: id } = await params;
  const { context } = await openProject(project);
  const message = await foundOr404(getInbound(context, id));
  return <InboundView key={message.id} initial={message} />;
}
