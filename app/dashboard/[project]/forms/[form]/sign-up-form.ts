import { getForm } from "@/lib/domain/forms/forms";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";

/** The form in a page's path, its project, and whether that can send; 404 if not the project's. */
export async function openForm(params: { project: string; form: string }) {
  const opened = await openProject(params.project);
  const [form, verified] = await Promise.all([
    foundOr404(getForm(opened.context, params.form)),
    listDomains(opened.context, { limit: 1, status: "VERIFIED" }),
  ]);
  return { ...opened, form, canSend: verified.data.length > 0 };
}
