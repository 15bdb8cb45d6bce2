import type { Metadata } from "next";
import { DomainView } from "@/components/domains/domain-view";
import { getDomain } from "@/lib/domain/sending-domains/domains";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Domain" };

export default async function DomainPage({
  params,
}: {
  params: Promise<{ project: string; domain: string }>;
}) {
  const { project, domain } = await params;
  const { context } = await openProject(project);
  const sendingDomain = await foundOr404(getDomain(context, domain));
  return <DomainView initial={sendingDomain} />;
}
