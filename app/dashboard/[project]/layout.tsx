import type { ReactNode } from "react";
import { SendingNotice } from "@/components/sending/sending-notice";
import { Shell } from "@/components/shell/shell";
import { getSendingState } from "@/lib/domain/sending-state/read";
import { env } from "@/lib/ground/env/env";
import { openProject } from "../session";

export default async function ProjectLayout({
  params,
  children,
}: {
  params: Promise<{ project: string }>;
  children: ReactNode;
}) {
  const { session, project, context } = await openProject((await params).project);
  return (
    <Shell
      project={{
        ...project,
        onlyProject: session.onlyProject,
        capturing: env().MAIL_TRANSPORT === "capture",
        appUrl: env().APP_URL,
      }}
      projects={session.projects}
      email={session.user.email}
      notice={<SendingNotice initial={await getSendingState(context)} />}
    >
      {children}
    </Shell>
  );
}
