import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DomainView } from "@/components/domains/domain-view";
import { getDomain } from "@/lib/domain/sending-domains/domains";
import { isAppError } from "@/lib/ground/errors";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Domain" };

export default async function DomainPage({
  params,
}: {
  params: Promise<{ project: string; domain: string }>;
}) {
  const { project, domain } = await params;
  const { context } = await openProject(project);
  const found = await getDomain(context, domain).catch((error: unknown) => {
    if (isAppError(error) && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return <DomainView initial={found} />;
}
