import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import {
  findDashboardSession,
  findProjectsAway,
  pageContext,
} from "@/lib/doors/http/sign-in/dashboard-session";
import { returnPathOf } from "@/lib/doors/http/sign-in/return-path";

/**
 * The session of the page being rendered; without one, goes to the sign-in page, which leads back to this
 * very page (to `fallback` where the server does not say which it is). Read once per request.
 */
export const dashboardSession = cache(async (fallback: string) => {
  const requested = await headers();
  const session = await findDashboardSession(requested);
  if (!session) redirect(`/sign-in?to=${encodeURIComponent(returnPathOf(requested, fallback))}`);
  return session;
});

/** Session, project and context of a project's page. 404 for a project that is not the user's. */
export const openProject = cache(async (projectId: string) => {
  const session = await dashboardSession(`/dashboard/${projectId}`);
  const project = session.projects.find(({ id }) => id === projectId);
  const context = pageContext(session, projectId);
  if (project?.lacksTwoStep) redirect(`/dashboard/two-step/${projectId}`);
  if (!project || !context) notFound();
  if ((await findProjectsAway()).has(projectId)) redirect(`/dashboard/away/${projectId}`);
  return { session, project, context };
});
