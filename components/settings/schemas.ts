import { lazySchema } from "@/components/form/lazy-schema";

export const projectUpdate = lazySchema(
  async () => (await import("@/lib/domain/projects/schema")).projectUpdate,
);
export const recipientDraft = lazySchema(
  async () => (await import("@/lib/domain/projects/pages-schema")).recipientDraft,
);
