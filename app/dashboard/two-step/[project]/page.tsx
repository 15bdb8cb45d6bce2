import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { ProjectProvider } from "@/components/api/project-context";
import { TwoStepSignIn } from "@/components/settings/two-step-sign-in";
import { QuietPage } from "@/components/shell/plain-page";
import { Callout } from "@/components/ui/callout";
import { LinkButton } from "@/components/ui/button";
import { accountContext, viewerOf } from "@/lib/doors/http/sign-in/dashboard-session";
import { getSecondFactor } from "@/lib/domain/users/second-factor";
import { env } from "@/lib/ground/env/env";
import { t } from "@/lib/ground/texts/t";
import { dashboardSession } from "../../session";

export function generateMetadata(): Metadata {
  return { title: t("Two-step sign-in") };
}

/** Where members are led if their project requires two-step sign-in. */
export default async function TwoStepPage({ params }: { params: Promise<{ project: string }> }) {
  const { project: projectId } = await params;
  const session = await dashboardSession(`/dashboard/${projectId}`);
  const project = session.projects.find(({ id }) => id === projectId);
  const context = accountContext(session, projectId);
  if (!project || !context) notFound();
  if (!project.lacksTwoStep) redirect(`/dashboard/${projectId}`);
  const others = session.projects.filter(({ lacksTwoStep }) => !lacksTwoStep);
  return (
    <QuietPage
      title={t("One thing first")}
      lead={t(
        "{name} asks its members for two-step sign-in. Switch yours on, then go on to the project.",
        { name: project.name },
      )}
      foot={
        others[0] && (
          <a href={`/dashboard/${others[0].id}`}>
            {t("Go to {name} instead", { name: others[0].name })}
          </a>
        )
      }
    >
      {session.onlyProject ? (
        <Callout kind="warning">
          {t(
            "You came by a link that opens this project alone. Sign in with your address to switch it on.",
          )}
        </Callout>
      ) : (
        <ProjectProvider
          project={{
            ...project,
            viewer: viewerOf(session),
            onlyProject: false,
            capturing: env().MAIL_TRANSPORT === "capture",
            appUrl: env().APP_URL,
          }}
        >
          <TwoStepSignIn initial={await getSecondFactor(context)} />
        </ProjectProvider>
      )}
      <div className="mt-7">
        <LinkButton href={`/dashboard/${projectId}`}>{t("Go on to the project")}</LinkButton>
      </div>
    </QuietPage>
  );
}
