import {
  Activity,
  Bot,
  BookOpen,
  Braces,
  ClipboardList,
  Filter,
  Gauge,
  Globe,
  History,
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
  Split,
  UserCog,
  Users,
  Webhook,
  type LucideIcon,
} from "lucide-react";

export interface NavigationItem {
  /** Below /dashboard/{project}; empty: the overview. */
  page: string;
  label: string;
  icon: LucideIcon;
  /** Other words people search for it by. */
  keywords: string;
  /** Shown only to some. */
  least?: "admin";
  /** Reached from another page: only the palette shows it. */
  nested?: true;
}

export interface NavigationGroup {
  label: string | null;
  items: readonly NavigationItem[];
}

/** Every page of a project, as the sidebar and the command palette show them. */
export const navigation: readonly NavigationGroup[] = [
  {
    label: null,
    items: [
      {
        page: "",
        label: "Overview",
        icon: Gauge,
        keywords: "home dashboard chart figures statistics",
      },
    ],
  },
  {
    label: "Audience",
    items: [
      {
        page: "contacts",
        label: "Contacts",
        icon: Users,
        keywords: "people audience subscribers import export csv tags departures unsubscribed",
      },
      {
        page: "lists",
        label: "Lists",
        icon: ListChecks,
        keywords: "newsletters mailing lists subscribers fields double opt-in",
      },
      {
        page: "forms",
        label: "Forms",
        icon: ClipboardList,
        keywords: "sign-up signup subscribe opt-in snippet embed website double opt-in",
      },
      {
        page: "segments",
        label: "Segments",
        icon: Filter,
        keywords: "audience filter conditions groups of contacts",
      },
      {
        page: "suppressions",
        label: "Suppressions",
        icon: ShieldX,
        keywords: "blocked bounced complaints spam do not send unsubscribe list",
      },
    ],
  },
  {
    label: "Mail",
    items: [
      {
        page: "campaigns",
        label: "Campaigns",
        icon: Megaphone,
        keywords: "newsletter broadcast bulk send schedule audience",
      },
      { page: "emails", label: "Emails", icon: Send, keywords: "log sent activity messages" },
      {
        page: "sending",
        label: "Sending",
        icon: Activity,
        keywords: "queue mail server throttled refused paused hold restore waiting delivery",
        nested: true,
      },
      {
        page: "inbound",
        label: "Inbound",
        icon: MailOpen,
        keywords: "received incoming mail replies answers inbox",
      },
      {
        page: "inbound/routes",
        label: "Inbound routes",
        icon: Split,
        keywords: "received incoming mail patterns webhooks forward",
        nested: true,
      },
      {
        page: "templates",
        label: "Templates",
        icon: LayoutTemplate,
        keywords: "content html liquid design versions",
      },
      {
        page: "media",
        label: "Media",
        icon: Images,
        keywords: "files images pictures upload library",
      },
      {
        page: "captured",
        label: "Captured mailbox",
        icon: Inbox,
        keywords: "sandbox test inbox preview",
      },
    ],
  },
  {
    label: "Setup",
    items: [
      { page: "domains", label: "Domains", icon: Globe, keywords: "dns dkim spf dmarc verify" },
      {
        page: "api-keys",
        label: "API keys",
        icon: KeyRound,
        keywords: "tokens secrets credentials smtp",
      },
      {
        page: "assistants",
        label: "Assistants",
        icon: Bot,
        keywords: "ai mcp model context protocol claude chatgpt cursor tools connect oauth",
      },
      {
        page: "webhooks",
        label: "Webhooks",
        icon: Webhook,
        keywords: "events callbacks endpoints deliveries notifications",
      },
      {
        page: "settings",
        label: "Settings",
        icon: Settings,
        keywords:
          "project name postal address footer sessions two-step sign-in 2fa authenticator totp passkeys webauthn single sign-on sso oidc",
      },
      {
        page: "settings/members",
        label: "Members",
        icon: UserCog,
        keywords:
          "people team colleagues roles owner admin editor viewer invite invitation permissions",
        nested: true,
      },
      {
        page: "settings/fields",
        label: "Fields and tags",
        icon: Braces,
        keywords: "custom attributes properties contact data types rename merge remove",
        nested: true,
      },
      {
        page: "settings/audit",
        label: "Audit log",
        icon: History,
        keywords: "who did what history security sign-ins changes",
        least: "admin",
        nested: true,
      },
      {
        page: "api-reference",
        label: "API reference",
        icon: BookOpen,
        keywords: "docs documentation openapi curl developers",
      },
      {
        page: "changelog",
        label: "Changelog",
        icon: ScrollText,
        keywords: "what is new releases versions news",
      },
    ],
  },
];
