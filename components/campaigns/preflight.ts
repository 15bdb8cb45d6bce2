export interface Warning {
  id: "size" | "alt" | "address" | "wayOut";
  kind: "warning" | "info";
  title: string;
  text: string;
}

/** Past this Gmail shows only the beginning, and a link to the rest. */
const clippedBytes = 102 * 1024;

/** What is worth knowing of a mail before it goes out; never more than what is true of it. */
export function preflight({
  html,
  address,
}: {
  html: string;
  /** Whether a postal address will stand at its end. */
  address: boolean;
}): Warning[] {
  if (!html.trim()) return [];
  const warnings: Warning[] = [];
  const bytes = new TextEncoder().encode(html).length;
  if (bytes > clippedBytes) {
    warnings.push({
      id: "size",
      kind: "warning",
      title: `The mail has ${Math.round(bytes / 1024)} KB`,
      text: "Gmail cuts mail off after 102 KB, often right before the footer.",
    });
  }
  const images = html.match(/<img\b[^>]*>/gi) ?? [];
  const silent = images.filter((tag) => !/\balt\s*=/i.test(tag)).length;
  if (silent > 0) {
    warnings.push({
      id: "alt",
      kind: "warning",
      title: silent === 1 ? "A picture has no alt text" : `${silent} pictures have no alt text`,
      text: 'Many people see mail without pictures, or hear it. Write alt="" where one is only decoration.',
    });
  }
  if (!address) {
    warnings.push({
      id: "address",
      kind: "warning",
      title: "The project has no postal address",
      text: "Laws such as CAN-SPAM ask for one in each campaign: show it in the mail, or",
    });
  }
  if (!/\{\{-?\s*(unsubscribeUrl|preferencesUrl)\b/.test(html)) {
    warnings.push({
      id: "wayOut",
      kind: "info",
      title: "A link to unsubscribe will be added",
      text: "It comes at the end. To place it yourself, use {{ unsubscribeUrl }}.",
    });
  }
  return warnings;
}
