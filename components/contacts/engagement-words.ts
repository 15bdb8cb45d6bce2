import { counted } from "@/components/ui/numbers";
import type { Engagement } from "@/lib/domain/engagement/schema";
import { t } from "@/lib/ground/texts/t";

/** Fewer emails are told as they are: a share of three says nothing. */
const fewest = 10;

/** How often somebody opens and clicks, in a sentence. */
export function habitWords(months: Engagement["months"]): string {
  const total = (key: "sent" | "opened" | "clicked") =>
    months.reduce((sum, month) => sum + month[key], 0);
  const [sent, opened, clicked] = [total("sent"), total("opened"), total("clicked")];
  if (sent === 0) return "";
  if (opened === 0) return t("Opened none of {sent}.", { sent: counted(sent, "email") });
  if (sent < fewest)
    return t("Opened {opened} of {sent}, clicked in {clicked}.", {
      opened,
      sent: counted(sent, "email"),
      clicked,
    });
  const ofTen = (part: number) => {
    if (part === 0) return "none";
    return part === sent ? "all" : Math.round((10 * part) / sent);
  };
  return t(
    "Opens {opened, select, all {all} 0 {fewer than 1 of 10} 10 {nearly all} other {about {opened} of 10}} emails and clicks in {clicked, select, none {none} all {all} 0 {fewer than 1 of 10} 10 {nearly all} other {about {clicked} of 10}}.",
    { opened: ofTen(opened), clicked: ofTen(clicked) },
  );
}
