"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useProjectPath } from "@/components/frame/project-context";
import { IconButton } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { Template } from "@/lib/templates/schema";

/** Asks, deletes and goes back to the list. */
export function DeleteTemplate({ template }: { template: Template }) {
  const [open, setOpen] = useState(false);
  const api = useApi();
  const path = useProjectPath();
  const router = useRouter();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api("DELETE /v1/templates/{id}", { params: { id: template.id } }),
    onSuccess: async () => {
      toast.success(`${template.name} is deleted`);
      router.push(path("templates"));
      await queries.invalidateQueries({ queryKey: ["templates"], refetchType: "none" });
    },
  });
  return (
    <>
      <IconButton label="Delete template" variant="secondary" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Delete “${template.name}”?`}
        action="Delete template"
        onConfirm={() => remove.mutate()}
        pending={remove.isPending || remove.isSuccess}
        error={remove.isError ? messageOf(remove.error) : null}
      >
        All {template.version === 1 ? "of it" : `${template.version} versions`} will be gone for
        good. A program that sends it by its id gets NOT_FOUND from then on; mail that was sent with
        it stays as it is.
      </ConfirmDialog>
    </>
  );
}
