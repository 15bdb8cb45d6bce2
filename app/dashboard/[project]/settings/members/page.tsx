import type { Metadata } from "next";
import { InviteMember } from "@/components/members/invite-member";
import { MemberList } from "@/components/members/member-list";
import { PageHeader } from "@/components/ui/page-header";
import { listMembers } from "@/lib/domain/members/members";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Members") };
}

export default async function MembersPage({ params }: { params: Promise<{ project: string }> }) {
  const id = (await params).project;
  const { context, project } = await openProject(id);
  return (
    <>
      <PageHeader
        title={t("Members")}
        back={{ href: `/dashboard/${id}/settings`, label: t("Settings") }}
        description={t("Who works on {name}, and what each of them may do.", {
          name: project.name,
        })}
        actions={<InviteMember />}
      />
      <MemberList initial={await listMembers(context)} />
    </>
  );
}
