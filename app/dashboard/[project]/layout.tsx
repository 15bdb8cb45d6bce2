import type { ReactNode } from "react";
import { SendingNotice } from "@/components/sending/sending-notice";
import { Shell } from "@/components/shell/shell";
import { SignedOut } from "@/components/signed-out/signed-out";
import { viewerOf } from "@/lib/doors/http/sign-in/dashboard-session";
import { getSendingState } from "@/lib/domain/sending-state/read";
import { findPasskeySite } from "@/lib/domain/users/passkey-challenges";
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
        viewer: viewerOf(session),
        onlyProject: session.onlyProject,
        capturing: env().MAIL_TRANSPORT === "capture",
        appUrl: env().APP_URL,
      }}
      projects={session.projects}
      notice={<SendingNotice initial={await getSendingState(context)} />}
    >
      {children}
      <SignedOut passkeys={findPasskeySite() !== null} />
    </Shell>
  );
}
