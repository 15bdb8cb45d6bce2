import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { QuietPage } from "@/components/shell/plain-page";
import { LinkButton } from "@/components/ui/button";
import { findProjectsAway } from "@/lib/doors/http/sign-in/dashboard-session";
import { t } from "@/lib/ground/texts/t";
import { dashboardSession } from "../../session";

export function generateMetadata(): Metadata {
  return { title: t("Moved") };
}

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
  const foot = other && (
    <a href={`/dashboard/${other.id}`}>{t("Go to {name} instead", { name: other.name })}</a>
  );
  return place.url === null ? (
    <QuietPage
      title={t("One moment")}
      lead={t(
        "{name} is being moved to another database, which takes a few seconds. Its mail waits meanwhile.",
        { name: project.name },
      )}
      foot={foot}
    >
      <div className="mt-7">
        <LinkButton href={`/dashboard/${projectId}`}>{t("Try again")}</LinkButton>
      </div>
    </QuietPage>
  ) : (
    <QuietPage
      title={t("This project has moved")}
      lead={t("{name} is reached at {url} now. Sign in there with the address you use here.", {
        name: project.name,
        url: place.url,
      })}
      foot={foot}
    >
      <div className="mt-7">
        <LinkButton href={`${place.url}/dashboard/${projectId}`}>
          {t("Go to the project")}
        </LinkButton>
      </div>
    </QuietPage>
  );
}
