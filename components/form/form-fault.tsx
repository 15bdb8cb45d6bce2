import { Callout } from "@/components/ui/callout";
import type { FormHandle } from "./use-form";

/** What is wrong with a form as a whole, shown at its top. */
export function FormFault({ of: { whole } }: { of: Pick<FormHandle, "whole"> }) {
  if (!whole) return null;
  return (
    <Callout kind="danger" alert>
      {whole}
    </Callout>
  );
}
