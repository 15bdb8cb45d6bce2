import {
  ClipboardList,
  Filter,
  Globe,
  Images,
  KeyRound,
  LayoutTemplate,
  ListChecks,
  Mail,
  Megaphone,
  Plug,
  Split,
  Tags,
  User,
  Webhook,
  type LucideIcon,
} from "lucide-react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { useSettled } from "@/components/api/use-settled";
import { pageHref } from "@/components/list-page/filters";
import type { CommandGroup } from "@/components/ui/command-palette";
import type { SearchHit } from "@/lib/domain/search/schema";
import { t } from "@/lib/ground/texts/t";

interface Kind {
  group: string;
  icon: LucideIcon;
  /** Where one of them is seen, below the project. */
  page: (thing: SearchHit) => string;
}

const ownPage =
  (page: string) =>
  ({ id }: SearchHit) =>
    `${page}/${id}`;
/** On a list that is narrowed to it. */
const searched =
  (page: string) =>
  ({ title }: SearchHit) =>
    pageHref(page, { search: title });

const kinds = (): Record<SearchHit["kind"], Kind> => ({
  contact: { group: t("Contacts"), icon: User, page: ownPage("contacts") },
  campaign: { group: t("Campaigns"), icon: Megaphone, page: ownPage("campaigns") },
  template: { group: t("Templates"), icon: LayoutTemplate, page: ownPage("templates") },
  list: { group: t("Lists"), icon: ListChecks, page: ownPage("lists") },
  segment: { group: t("Segments"), icon: Filter, page: ownPage("segments") },
  form: { group: t("Forms"), icon: ClipboardList, page: ownPage("forms") },
  topic: { group: t("Topics"), icon: Tags, page: () => "settings/topics" },
  file: { group: t("Media"), icon: Images, page: searched("media") },
  domain: { group: t("Domains"), icon: Globe, page: ownPage("domains") },
  connection: {
    group: t("Sending connections"),
    icon: Plug,
    page: () => "settings/connections",
  },
  webhook: { group: t("Webhooks"), icon: Webhook, page: ownPage("webhooks") },
  inboundRoute: { group: t("Inbound routes"), icon: Split, page: () => "inbound/routes" },
  apiKey: { group: t("API keys"), icon: KeyRound, page: searched("api-keys") },
  email: { group: t("Emails"), icon: Mail, page: ownPage("emails") },
});

/** Finds the project's things by part of their name or address, or the one with this id. */
export function useFound(
  open: boolean,
  text: string,
  go: (href: string) => void,
): { groups: CommandGroup[]; looking: boolean } {
  const path = useProjectPath();
  const asked = useSettled(text.trim());
  const results = useRead(
    "GET /v1/find",
    { query: { text: asked } },
    { enabled: open && asked.length >= 2, retry: false, staleTime: 15_000, gcTime: 60_000 },
  );
  const things = text.trim().length >= 2 ? (results.data?.data ?? []) : [];
  const groups = Object.entries(kinds()).map(([kind, { group, icon, page }]) => ({
    label: group,
    items: things
      .filter((thing) => thing.kind === kind)
      .map((thing) => ({
        id: thing.id,
        label: thing.title,
        hint: thing.hint,
        icon,
        run: () => go(path(page(thing))),
      })),
  }));
  return { groups, looking: results.isFetching };
}
