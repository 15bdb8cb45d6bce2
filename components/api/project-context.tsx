"use client";

import { createContext, useContext, type ReactNode } from "react";
import type { Role } from "@/db/enums";

/** Who was signed in when the page was made. */
export interface Viewer {
  /** Wire id. */
  id: string;
  email: string;
}

/** The project a page shows, and how the product is set up: what client components need to know. */
export interface CurrentProject {
  /** Wire id, as in paths. */
  id: string;
  name: string;
  role: Role;
  /** Whose page it is. */
  viewer: Viewer;
  /** Set by a platform token's link: the viewer's account and other projects are out of reach. */
  onlyProject: boolean;
  /** Mail is captured, nothing leaves the machine. */
  capturing: boolean;
  /** Where the API answers, without a trailing slash. */
  appUrl: string;
}

const ProjectContext = createContext<CurrentProject | null>(null);

export function ProjectProvider({
  project,
  children,
}: {
  project: CurrentProject;
  children: ReactNode;
}) {
  return <ProjectContext value={project}>{children}</ProjectContext>;
}

export function useProject(): CurrentProject {
  const project = useContext(ProjectContext);
  if (!project) throw new Error("useProject is used outside a project's page.");
  return project;
}

/** The path of one of the project's pages: `useProjectPath()("emails")`. */
export function useProjectPath(): (page?: string) => string {
  const { id } = useProject();
  return (page = "") => `/dashboard/${id}${page && `/${page}`}`;
}

/** Whether the viewer may do what needs this role. The server decides; this only hides what it would refuse. */
export function useMay(least: Role): boolean {
  const order: readonly Role[] = ["viewer", "editor", "admin", "owner"];
  return order.indexOf(useProject().role) >= order.indexOf(least);
}
