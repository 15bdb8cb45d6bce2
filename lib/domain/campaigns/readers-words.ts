/** What somebody reads with, judging by what their program calls itself. */
export function deviceOf(agent: string): string {
  if (/GoogleImageProxy|YahooMailProxy|ggpht\.com/i.test(agent)) return "Webmail, behind a proxy";
  if (/iPad|Tablet|Kindle|Silk\//i.test(agent)) return "Tablet";
  if (/iPhone|iPod/i.test(agent)) return "iPhone";
  if (/Android/i.test(agent)) return /Mobile/i.test(agent) ? "Android phone" : "Tablet";
  if (/Macintosh|Mac OS X/i.test(agent)) return "Mac";
  if (/Windows|Microsoft Outlook|MSOffice/i.test(agent)) return "Windows";
  return /Linux|X11|CrOS/i.test(agent) ? "Linux" : "Other";
}
