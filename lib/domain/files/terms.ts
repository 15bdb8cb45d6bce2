/**
 * Where all of our hosts have the uploaded file whose public address this is, with the slash in front; null: the address is not one of
 * the project's files. `project` is the wire id.
 */
export function ownFilePath(address: string, project: string): string | null {
  if (!URL.canParse(address)) return null;
  const { pathname } = new URL(address);
  return pathname.startsWith(`/files/${project}/`) ? pathname : null;
}
