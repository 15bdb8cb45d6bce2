import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CapturedView } from "@/components/captured/captured-view";
import { getCapturedEmail } from "@/lib/domain/emails/captured";
import { isAppError } from "@/lib/ground/errors";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Captured message" };

export default async function CapturedMessagePage({
  params,
}: {
  params: Promise<{ project: string; message: string }>;
}) {
  const { project, message } = await params;
  const { context } = await openProject(project);
  const found = await getCapturedEmail(context, message).catch((error: unknown) => {
    if (isAppError(error) && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return <CapturedView message={found} />;
}
