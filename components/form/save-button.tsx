import { Button } from "@/components/ui/button";
import { t } from "@/lib/ground/texts/t";
import type { FormHandle } from "./use-form";

/** The button in the head of an editor's page. Once saved, it saves again only after a change. */
export function SaveButton({
  form,
  saved,
  create,
  formId,
}: {
  form: Pick<FormHandle, "dirty" | "pending">;
  /** Whether there is one already. */
  saved: boolean;
  /** Its label while there is none: `Create segment`. */
  create: string;
  /** Id of the form element, where the button is outside it. */
  formId?: string;
}) {
  return (
    <Button
      type="submit"
      form={formId}
      variant="primary"
      pending={form.pending}
      disabled={saved && !form.dirty}
      title={t("Ctrl or ⌘ and Enter")}
    >
      {saved ? t("Save") : create}
    </Button>
  );
}
