import {
  Activity,
  BookOpen,
  Braces,
  CalendarDays,
  DoorOpen,
  History,
  Palette,
  Plug,
  Split,
  Tags,
  UserCog,
} from "lucide-react";
import { t } from "@/lib/ground/texts/t";
import type { NavigationItem } from "./navigation";

/** Pages that are reached from others: the command palette shows them, too. */
export const nestedPages = (): readonly NavigationItem[] => [
  {
    page: "sending",
    label: t("Sending"),
    icon: Activity,
    keywords: t("queue mail server throttled refused paused hold restore waiting delivery"),
  },
  {
    page: "inbound/routes",
    label: t("Inbound routes"),
    icon: Split,
    keywords: t("received incoming mail patterns webhooks forward"),
  },
  {
    page: "settings/members",
    label: t("Members"),
    icon: UserCog,
    keywords: t(
      "people team colleagues roles owner admin editor viewer invite invitation permissions",
    ),
  },
  {
    page: "settings/fields",
    label: t("Fields and tags"),
    icon: Braces,
    keywords: t("custom attributes properties contact data types rename merge remove"),
  },
  {
    page: "settings/audit",
    label: t("Audit log"),
    icon: History,
    keywords: t("who did what history security sign-ins changes"),
    least: "admin",
  },
  {
    page: "campaigns/calendar",
    label: t("Calendar"),
    icon: CalendarDays,
    keywords: t("campaigns month plan schedule when"),
  },
  {
    page: "settings/brand",
    label: t("Brand"),
    icon: Palette,
    keywords: t("colours fonts logo look of emails"),
  },
  {
    page: "settings/topics",
    label: t("Topics"),
    icon: Tags,
    keywords: t("preferences interests what campaigns are about"),
  },
  {
    page: "settings/connections",
    label: t("Sending connections"),
    icon: Plug,
    keywords: t("smtp mail server provider amazon ses resend postmark mailgun sendgrid"),
  },
  {
    page: "contacts/departures",
    label: t("See who leaves, and why"),
    icon: DoorOpen,
    keywords: t("departures unsubscribed reasons churn consent history"),
  },
  {
    page: "api-reference/platform",
    label: t("Platform API reference"),
    icon: BookOpen,
    keywords: t("docs documentation openapi curl developers"),
  },
];
