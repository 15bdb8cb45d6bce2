import { Callout } from "@/components/ui/callout";
import type { FormHandle } from "./use-form";

/** What is wrong with a form as a whole, on top of it. */
export function FormFault({ of: { whole } }: { of: Pick<FormHandle, "whole"> }) {
  if (!whole) return null;
  return (
    <Callout kind="danger" alert>
      {whole}
    </Callout>
  );
}
