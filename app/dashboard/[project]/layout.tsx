import type { ReactNode } from "react";
import { Shell } from "@/components/shell/shell";
import { env } from "@/lib/ground/env/env";
import { openProject } from "../session";

export default async function ProjectLayout({
  params,
  children,
}: {
  params: Promise<{ project: string }>;
  children: ReactNode;
}) {
  const { session, project } = await openProject((await params).project);
  return (
    <Shell
      project={{
        ...project,
        capturing: env().MAIL_TRANSPORT === "capture",
        appUrl: env().APP_URL,
      }}
      projects={session.projects}
      email={session.user.email}
    >
      {children}
    </Shell>
  );
}
