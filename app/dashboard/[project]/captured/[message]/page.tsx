import type { Metadata } from "next";
import { CapturedView } from "@/components/captured/captured-view";
import { getCapturedEmail } from "@/lib/domain/emails/captured";
import { t } from "@/lib/ground/texts/t";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Captured message") };
}

export default async function CapturedMessagePage({
  params,
}: {
  params: Promise<{ project: string; message: string }>;
}) {
  const { project, message: id } = await params;
  const { context } = await openProject(project);
  const message = await foundOr404(getCapturedEmail(context, id));
  return <CapturedView message={message} />;
}
