import { getForm } from "@/lib/domain/forms/forms";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";

/** The form of a page's path with its project; 404 for one that is not the project's. */
export async function openForm(params: { project: string; form: string }) {
  const opened = await openProject(params.project);
  const form = await foundOr404(getForm(opened.context, params.form));
  return { ...opened, form };
}
