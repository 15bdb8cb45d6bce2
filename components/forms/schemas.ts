import { lazySchema } from "@/components/form/lazy-schema";

const schemas = () => import("@/lib/domain/forms/schema");
export const formInput = lazySchema(async () => (await schemas()).formInput);
export const formUpdate = lazySchema(async () => (await schemas()).formUpdate);
