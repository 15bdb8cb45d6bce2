import { database } from "@/db/client";
import type { Context } from "@/lib/ground/context";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import type { LoginTokenPurpose, Role } from "@/db/enums";
import { findLoginToken } from "@/lib/domain/users/login-tokens";
import { projectsAway, type Away } from "@/lib/domain/projects/moves";
import { listProjects } from "@/lib/domain/projects/projects";
import { findSession, type SessionUser } from "@/lib/domain/users/sessions";

/** A project as the project switcher shows it. */
export interface ProjectChoice {
  /** Wire id. */
  id: string;
  name: string;
  role: Role;
  /** Its pages wait for the member's two-step sign-in. */
  lacksTwoStep: boolean;
}

export interface DashboardSession {
  /** uuid */
  id: string;
  /** Started by a platform token's link: it opens only one project. */
  onlyProject: boolean;
  user: SessionUser;
  /** The projects this session may open, oldest first. */
  projects: ProjectChoice[];
}

/** Who is asking for a page, and their projects; null when nobody is signed in. */
export async function findDashboardSession(headers: Headers): Promise<DashboardSession | null> {
  const session = await findSession(database(), headers);
  if (!session) return null;
  const { id, user, onlyProjectId } = session;
  const projects = await listProjects(database(), user.id);
  return {
    id,
    onlyProject: onlyProjectId !== null,
    user,
    projects: projects
      .filter((project) => onlyProjectId === null || project.id === onlyProjectId)
      .map((project) => ({ ...project, id: encodeId("project", project.id) })),
  };
}

/** The person as the pages made for them know them: `id` is the wire id. */
export function viewerOf({ user: { id, email } }: DashboardSession): { id: string; email: string } {
  return { id: encodeId("user", id), email };
}

/** Projects (wire ids) whose pages are not to be shown, since they are on their way to another database or there. */
export async function findProjectsAway(): Promise<ReadonlyMap<string, Away>> {
  const away = await projectsAway(database());
  return new Map([...away].map(([id, place]) => [encodeId("project", id), place]));
}

/**
 * The context in which a page reads one of the session's projects; null for any other project, and for one
 * that waits for the member's two-step sign-in.
 */
export function pageContext(session: DashboardSession, projectId: string): Context | null {
  const project = session.projects.find(({ id }) => id === projectId);
  const uuid = decodeId("project", projectId);
  if (!project || !uuid || project.lacksTwoStep) return null;
  return contextIn(session, project, uuid);
}

/** The context in which a member switches on the two-step sign-in that a project waits for. */
export function accountContext(session: DashboardSession, projectId: string): Context | null {
  const project = session.projects.find(({ id }) => id === projectId);
  const uuid = decodeId("project", projectId);
  return project && uuid ? contextIn(session, { ...project, role: "viewer" }, uuid) : null;
}

function contextIn(session: DashboardSession, project: ProjectChoice, uuid: string): Context {
  return {
    db: database(),
    projectId: uuid,
    actor: { type: "user", id: session.user.id },
    role: project.role,
    sendingOnly: false,
    testMode: false,
    requestId: "page",
    session: { id: session.id, onlyProject: session.onlyProject },
  };
}

/** Whose one-time link this is; null when it was used, has expired or is not ours. Changes nothing. */
export function findLink(
  token: string,
  purpose: LoginTokenPurpose,
): Promise<{ email: string; redirectTo: string | null } | null> {
  return findLoginToken(database(), token, purpose);
}
