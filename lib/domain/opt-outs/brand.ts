import { projects } from "@/db/schema";

/** Selects a ProjectBrand. */
export const brandColumns = {
  project: projects.name,
  color: projects.brandColor,
  mails: projects.brand,
  language: projects.language,
  postalAddress: projects.postalAddress,
};
