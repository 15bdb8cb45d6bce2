const pages: Readonly<Record<string, string>> = {
  cmp: "campaigns",
  con: "contacts",
  dom: "domains",
  em: "emails",
  frm: "forms",
  imp: "contacts/imports",
  lst: "lists",
  seg: "segments",
  tpl: "templates",
  wh: "webhooks",
};

/** The dashboard page of a thing, below the project; null if it has none. */
export function targetPage(id: string): string | null {
  const page = pages[id.slice(0, id.lastIndexOf("_"))];
  return page ? `${page}/${id}` : null;
}
