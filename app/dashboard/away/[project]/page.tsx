import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { QuietPage } from "@/components/shell/plain-page";
import { LinkButton } from "@/components/ui/button";
import { findProjectsAway } from "@/lib/doors/http/sign-in/dashboard-session";
import { dashboardSession } from "../../session";

export const metadata: Metadata = { title: "Moved" };

/** Where members are led whose project moves to another database, or has moved there. */
export default async function AwayPage({ params }: { params: Promise<{ project: string }> }) {
  const { project: projectId } = await params;
  const session = await dashboardSession(`/dashboard/${projectId}`);
  const project = session.projects.find(({ id }) => id === projectId);
  if (!project) notFound();
  const away = await findProjectsAway();
  const place = away.get(projectId);
  if (!place) redirect(`/dashboard/${projectId}`);
  const other = session.projects.find(({ id }) => !away.has(id));
  const foot = other && <a href={`/dashboard/${other.id}`}>Go to {other.name} instead</a>;
  return place.url === null ? (
    <QuietPage
      title="One moment"
      lead={`${project.name} is being moved to another database, which takes a few seconds. Its mail waits meanwhile.`}
      foot={foot}
    >
      <div className="mt-7">
        <LinkButton href={`/dashboard/${projectId}`}>Try again</LinkButton>
      </div>
    </QuietPage>
  ) : (
    <QuietPage
      title="This project has moved"
      lead={`${project.name} is reached at ${place.url} now. Sign in there with the address you use here.`}
      foot={foot}
    >
      <div className="mt-7">
        <LinkButton href={`${place.url}/dashboard/${projectId}`}>Go to the project</LinkButton>
      </div>
    </QuietPage>
  );
}
