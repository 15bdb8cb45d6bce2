import { withNew } from "@/components/ui/use-new-dialog";
import { t } from "@/lib/ground/texts/t";

interface Beginning {
  label: string;
  keywords: string;
  /** Below the project. */
  page: string;
  /** Of an editor, if absent. */
  least?: "admin";
}

/** What people start from the palette, and where it happens. */
export const beginnings = (): readonly Beginning[] => [
  {
    label: t("Create a campaign"),
    keywords: t("new newsletter write send"),
    page: withNew("campaigns"),
  },
  { label: t("Create a template"), keywords: t("new email design write"), page: "templates/new" },
  { label: t("Create a segment"), keywords: t("new filter audience"), page: "segments/new" },
  { label: t("Create a sign-up form"), keywords: t("new subscribe snippet"), page: "forms/new" },
  { label: t("Create a list"), keywords: t("new subscribers"), page: "lists/new" },
  { label: t("Import contacts"), keywords: t("new upload csv add"), page: "contacts/import" },
  { label: t("Add a contact"), keywords: t("new person subscriber"), page: withNew("contacts") },
  {
    label: t("Suppress an address"),
    keywords: t("new block do not send add"),
    page: withNew("suppressions"),
  },
  {
    label: t("Add a file from the web"),
    keywords: t("new image picture media upload"),
    page: withNew("media"),
  },
  {
    label: t("Add a domain"),
    keywords: t("new sender dns verify"),
    page: withNew("domains"),
    least: "admin",
  },
  {
    label: t("Create an API key"),
    keywords: t("new token"),
    page: withNew("api-keys"),
    least: "admin",
  },
  {
    label: t("Add a webhook"),
    keywords: t("new endpoint events callback create"),
    page: withNew("webhooks"),
    least: "admin",
  },
  {
    label: t("Add a sending connection"),
    keywords: t("new smtp mail server provider create"),
    page: withNew("settings/connections"),
    least: "admin",
  },
  {
    label: t("Add an inbound route"),
    keywords: t("new received mail pattern create"),
    page: withNew("inbound/routes"),
    least: "admin",
  },
  {
    label: t("Invite somebody"),
    keywords: t("new member team"),
    page: withNew("settings/members"),
    least: "admin",
  },
];
