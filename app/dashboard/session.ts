import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { findDashboardSession, pageContext } from "@/lib/doors/http/sign-in/dashboard-session";

/** The session of the page being rendered; goes to the sign-in page without one. Read once a request. */
export const dashboardSession = cache(async (returnTo: string) => {
  const session = await findDashboardSession(await headers());
  if (!session) redirect(`/sign-in?to=${encodeURIComponent(returnTo)}`);
  return session;
});

/** Session, project and context of a project's page. 404 for a project that is not the user's. */
export const openProject = cache(async (projectId: string) => {
  const session = await dashboardSession(`/dashboard/${projectId}`);
  const project = session.projects.find(({ id }) => id === projectId);
  const context = pageContext(session, projectId);
  if (!project || !context) notFound();
  return { session, project, context };
});
