import {
  Bot,
  BookOpen,
  ClipboardList,
  Filter,
  Gauge,
  Globe,
  Images,
  Inbox,
  KeyRound,
  MailOpen,
  LayoutTemplate,
  Megaphone,
  ListChecks,
  ScrollText,
  Send,
  Settings,
  ShieldX,
  Users,
  Webhook,
  type LucideIcon,
} from "lucide-react";
import { t } from "@/lib/ground/texts/t";

export interface NavigationItem {
  /** Below /dashboard/{project}; empty: the overview. */
  page: string;
  label: string;
  icon: LucideIcon;
  /** Other words people search for it by. */
  keywords: string;
  /** Shown only to some. */
  least?: "admin";
}

export interface NavigationGroup {
  label: string | null;
  items: readonly NavigationItem[];
}

/** A project's pages, as the sidebar and the command palette show them; those below others are in nested-pages.ts. */
export const navigation = (): readonly NavigationGroup[] => [
  {
    label: null,
    items: [
      {
        page: "",
        label: t("Overview"),
        icon: Gauge,
        keywords: t("home dashboard chart figures statistics"),
      },
    ],
  },
  {
    label: t("Audience"),
    items: [
      {
        page: "contacts",
        label: t("Contacts"),
        icon: Users,
        keywords: t("people audience subscribers import export csv tags departures unsubscribed"),
      },
      {
        page: "lists",
        label: t("Lists"),
        icon: ListChecks,
        keywords: t("newsletters mailing lists subscribers fields double opt-in"),
      },
      {
        page: "forms",
        label: t("Forms"),
        icon: ClipboardList,
        keywords: t("sign-up signup subscribe opt-in snippet embed website double opt-in"),
      },
      {
        page: "segments",
        label: t("Segments"),
        icon: Filter,
        keywords: t("audience filter conditions groups of contacts"),
      },
      {
        page: "suppressions",
        label: t("Suppressions"),
        icon: ShieldX,
        keywords: t("blocked bounced complaints spam do not send unsubscribe list"),
      },
    ],
  },
  {
    label: t("Mail"),
    items: [
      {
        page: "campaigns",
        label: t("Campaigns"),
        icon: Megaphone,
        keywords: t("newsletter broadcast bulk send schedule audience"),
      },
      { page: "emails", label: t("Emails"), icon: Send, keywords: t("log sent activity messages") },
      {
        page: "inbound",
        label: t("Inbound"),
        icon: MailOpen,
        keywords: t("received incoming mail replies answers inbox"),
      },
      {
        page: "templates",
        label: t("Templates"),
        icon: LayoutTemplate,
        keywords: t("content html liquid design versions"),
      },
      {
        page: "media",
        label: t("Media"),
        icon: Images,
        keywords: t("files images pictures upload library"),
      },
      {
        page: "captured",
        label: t("Captured mailbox"),
        icon: Inbox,
        keywords: t("sandbox test inbox preview"),
      },
    ],
  },
  {
    label: t("Setup"),
    items: [
      {
        page: "domains",
        label: t("Domains"),
        icon: Globe,
        keywords: t("dns dkim spf dmarc verify"),
      },
      {
        page: "api-keys",
        label: t("API keys"),
        icon: KeyRound,
        keywords: t("tokens secrets credentials smtp"),
      },
      {
        page: "assistants",
        label: t("Assistants"),
        icon: Bot,
        keywords: t("ai mcp model context protocol claude chatgpt cursor tools connect oauth"),
      },
      {
        page: "webhooks",
        label: t("Webhooks"),
        icon: Webhook,
        keywords: t("events callbacks endpoints deliveries notifications"),
      },
      {
        page: "settings",
        label: t("Settings"),
        icon: Settings,
        keywords: t(
          "project name postal address footer sessions two-step sign-in 2fa authenticator totp passkeys webauthn single sign-on sso oidc",
        ),
      },
      {
        page: "api-reference",
        label: t("API reference"),
        icon: BookOpen,
        keywords: t("docs documentation openapi curl developers"),
      },
      {
        page: "changelog",
        label: t("Changelog"),
        icon: ScrollText,
        keywords: t("what is new releases versions news"),
      },
    ],
  },
];
