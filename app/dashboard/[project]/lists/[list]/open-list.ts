import { notFound } from "next/navigation";
import { isAppError } from "@/lib/ground/errors";
import { getMailingList } from "@/lib/domain/lists/overview";
import { openProject } from "../../../session";

/** The list of a page's path with its project; 404 for one that is not the project's. */
export async function openList(params: { project: string; list: string }) {
  const opened = await openProject(params.project);
  const list = await getMailingList(opened.context, params.list).catch((error: unknown) => {
    if (isAppError(error) && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return { ...opened, list };
}
