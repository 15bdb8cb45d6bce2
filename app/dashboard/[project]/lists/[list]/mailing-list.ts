import { getMailingList } from "@/lib/domain/lists/overview";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";

/** The list in a page's path with its project; 404 for one that is not the project's. */
export async function openMailingList(params: { project: string; list: string }) {
  const opened = await openProject(params.project);
  const list = await foundOr404(getMailingList(opened.context, params.list));
  return { ...opened, list };
}
