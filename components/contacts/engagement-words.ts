import { counted } from "@/components/ui/numbers";
import type { Engagement } from "@/lib/domain/engagement/schema";

/** Fewer emails are told as they are: a share of three says nothing. */
const fewest = 10;

/** How often somebody opens and clicks, in a sentence. */
export function habitWords(months: Engagement["months"]): string {
  const total = (key: "sent" | "opened" | "clicked") =>
    months.reduce((sum, month) => sum + month[key], 0);
  const [sent, opened, clicked] = [total("sent"), total("opened"), total("clicked")];
  if (sent === 0) return "";
  if (opened === 0) return `Opened none of ${counted(sent, "email")}.`;
  if (sent < fewest) return `Opened ${opened} of ${counted(sent, "email")}, clicked in ${clicked}.`;
  const ofTen = (part: number) => {
    if (part === 0) return "none";
    if (part === sent) return "all";
    const share = Math.round((10 * part) / sent);
    if (share === 0) return "fewer than 1 of 10";
    return share === 10 ? "nearly all" : `about ${share} of 10`;
  };
  return `Opens ${ofTen(opened)} emails and clicks in ${ofTen(clicked)}.`;
}
