export interface Warning {
  id: "size" | "alt" | "address" | "wayOut";
  kind: "warning" | "info";
  title: string;
  text: string;
}

/** Past this Gmail shows only the beginning, and a link to the rest. */
const clippedBytes = 102 * 1024;

/** What is worth knowing about an email before it goes out; nothing that is not certain. */
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
      title: `The email is ${Math.round(bytes / 1024)} KB`,
      text: "Gmail cuts emails off after 102 KB, often just before the footer.",
    });
  }
  const images = html.match(/<img\b[^<>]*>/gi) ?? [];
  const silent = images.filter((tag) => !/\balt\s*=/i.test(tag)).length;
  if (silent > 0) {
    warnings.push({
      id: "alt",
      kind: "warning",
      title: silent === 1 ? "An image has no alt text" : `${silent} images have no alt text`,
      text: 'Many people read email without images or have it read to them. Use alt="" for images that are only decoration.',
    });
  }
  if (!address) {
    warnings.push({
      id: "address",
      kind: "warning",
      title: "The project has no postal address",
      text: "Laws such as CAN-SPAM require one in every campaign. Put it in the email, or",
    });
  }
  if (!/\{\{-?\s*(unsubscribeUrl|preferencesUrl)\b/.test(html)) {
    warnings.push({
      id: "wayOut",
      kind: "info",
      title: "An unsubscribe link will be added",
      text: "It goes at the end. To place it yourself, use {{ unsubscribeUrl }}.",
    });
  }
  return warnings;
}
