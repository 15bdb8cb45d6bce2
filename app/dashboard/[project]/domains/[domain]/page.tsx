import type { Metadata } from "next";
import { DomainView } from "@/components/domains/domain-view";
import { listConnections } from "@/lib/domain/connections/connections";
import { getDomain } from "@/lib/domain/sending-domains/domains";
import { getWarmup } from "@/lib/domain/sending-domains/warm-up";
import { t } from "@/lib/ground/texts/t";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Domain") };
}

export default async function DomainPage({
  params,
}: {
  params: Promise<{ project: string; domain: string }>;
}) {
  const { project, domain } = await params;
  const { context } = await openProject(project);
  const [sendingDomain, warmup, connections] = await foundOr404(
    Promise.all([getDomain(context, domain), getWarmup(context, domain), listConnections(context)]),
  );
  return <DomainView initial={sendingDomain} warmup={warmup} connections={connections} />;
}
