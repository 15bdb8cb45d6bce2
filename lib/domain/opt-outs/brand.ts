import { projects } from "@/db/schema";
import { ownFilePath } from "@/lib/domain/files/terms";
import { encodeId } from "@/lib/ground/ids/ids";
import { letterLook } from "@/lib/mail/design/letter-look";
import type { ProjectBrand } from "./schema";

/** Selects a ProjectBrand. */
export const brandColumns = {
  projectId: projects.id,
  project: projects.name,
  color: projects.brandColor,
  mails: projects.brand,
  language: projects.language,
  postalAddress: projects.postalAddress,
};

/** The logo of the pages that recipients see. */
export interface PageLogo {
  path: string;
  /** `#rrggbb`: what it stands on in mails, so that it can be made out there. */
  ground: string;
}

/** null: there is none, or it is on somebody else's server, which would learn who opens the pages. */
export function pageLogo({ projectId, mails }: ProjectBrand): PageLogo | null {
  const look = letterLook(mails);
  const path = look?.logo && ownFilePath(look.logo.src, encodeId("project", projectId));
  return look && path ? { path, ground: look.sheet } : null;
}
