/** A block of the canvas with its attributes, as the schema reads it. */
export function blockElement(owner: Document, name: string, attrs: object): HTMLElement {
  const block = owner.createElement("div");
  block.dataset["mailBlock"] = name;
  block.dataset["mail"] = JSON.stringify(attrs);
  return block;
}

/** `#rrggbb` of a colour as CSS writes it; null for one that is not plain. */
export function toHex(color: string | null | undefined): string | null {
  const text = color?.trim() ?? "";
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase();
  const channels = /^rgb\((\d+),\s*(\d+),\s*(\d+)\)$/.exec(text)?.slice(1);
  return channels
    ? `#${channels.map((value) => Number(value).toString(16).padStart(2, "0")).join("")}`
    : null;
}
