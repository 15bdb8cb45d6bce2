"use client";

import { messageOf } from "@/components/api/faults";
import { useMay } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { ErrorState } from "@/components/ui/error-state";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Compared } from "@/components/versions/differences";
import { VersionsDialog } from "@/components/versions/versions-dialog";
import type { CampaignVersionEntry } from "@/lib/domain/campaigns/version-schema";
import { t } from "@/lib/ground/texts/t";
import { useTemplateRead } from "./use-template";
import { campaignDifferences, type NamedVersion } from "./version-differences";

interface Campaign {
  id: string;
  /** As it was last read: another time has other versions. */
  updatedAt: string;
}

function authorOf({ author }: CampaignVersionEntry): string | null {
  if (!author) return null;
  return author.name ?? (author.type === "user" ? t("a deleted user") : t("a deleted key"));
}

/** What a campaign said before, each version to be looked at, compared with others and, while it is written, restored. */
export function CampaignVersionsDialog({
  campaign,
  pending = false,
  onRestore = null,
  onClose,
}: {
  campaign: Campaign;
  pending?: boolean;
  /** null: it is not being written. `current`: the version that the other one replaces. */
  onRestore?: ((version: number, current: number) => void) | null;
  onClose: () => void;
}) {
  const may = useMay("editor");
  const list = useRead(
    "GET /v1/campaigns/{id}/versions",
    { params: { id: campaign.id } },
    { version: campaign.updatedAt },
  );
  const versions = list.data?.data;
  const current = versions?.find(({ isCurrent }) => isCurrent)?.version;
  return (
    <VersionsDialog
      description={
        may && onRestore
          ? t(
              "The text is kept as a version when nobody has written for ten minutes, when somebody else goes on, and when the campaign is scheduled. Restoring a version loses nothing.",
            )
          : t("What the campaign said while it was written.")
      }
      read={list}
      versions={versions?.map((each) => ({
        version: each.version,
        present: each.isCurrent ? t("current") : null,
        savedAt: each.savedAt,
        author: authorOf(each),
        summary: each.subject || t("(no subject)"),
      }))}
      pending={pending}
      onRestore={
        may && onRestore && current !== undefined ? (version) => onRestore(version, current) : null
      }
      compare={(older, newer) => (
        <CampaignComparison campaign={campaign} older={older} newer={newer} />
      )}
      onClose={onClose}
    />
  );
}

function useVersion({ id, updatedAt }: Campaign, version: number) {
  const read = useRead(
    "GET /v1/campaigns/{id}/versions/{version}",
    { params: { id, version: String(version) } },
    { version: updatedAt },
  );
  const templateId = read.data?.templateId ?? null;
  const { read: sent, template } = useTemplateRead(templateId);
  const gone = t("A template that no longer exists");
  const said: (NamedVersion & { html: string }) | undefined =
    read.data && (templateId === null || template !== undefined)
      ? {
          ...read.data,
          template: templateId === null ? "" : (template?.name ?? gone),
          html: (templateId === null ? read.data.body : template?.body) ?? "",
        }
      : undefined;
  const failed = read.isError ? read : template === undefined && sent.isError ? sent : null;
  return { failed, said };
}

/** Two templates of one name, or two that are gone, are not the same one. */
function withId(said: NamedVersion, other: NamedVersion): NamedVersion {
  if (said.template !== other.template || said.templateId === other.templateId) return said;
  return { ...said, template: `${said.template} (${said.templateId ?? ""})` };
}

function CampaignComparison({
  campaign,
  older,
  newer,
}: {
  campaign: Campaign;
  older: number;
  newer: number;
}) {
  const [before, after] = [useVersion(campaign, older), useVersion(campaign, newer)];
  const failed = before.failed ?? after.failed;
  if (failed) {
    return (
      <ErrorState
        message={messageOf(failed.error)}
        onRetry={() => void failed.refetch()}
        retrying={failed.isFetching}
      />
    );
  }
  if (!before.said || !after.said) return <TableSkeleton rows={3} columns={2} />;
  return (
    <Compared
      looks={[before.said, after.said]}
      differences={campaignDifferences(
        withId(before.said, after.said),
        withId(after.said, before.said),
      )}
    />
  );
}
