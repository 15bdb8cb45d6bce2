import { projects } from "@/db/schema";

/** Selects a ProjectBrand. */
export const brandColumns = {
  project: projects.name,
  color: projects.brandColor,
  language: projects.language,
  postalAddress: projects.postalAddress,
};
