import type { Metadata } from "next";
import { InviteMember } from "@/components/members/invite-member";
import { MemberList } from "@/components/members/member-list";
import { PageHeader } from "@/components/ui/page-header";
import { listMembers } from "@/lib/domain/members/members";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Members" };

export default async function MembersPage({ params }: { params: Promise<{ project: string }> }) {
  const id = (await params).project;
  const { context, project } = await openProject(id);
  return (
    <>
      <PageHeader
        title="Members"
        back={{ href: `/dashboard/${id}/settings`, label: "Settings" }}
        description={`Who works on ${project.name}, and what each of them may do.`}
        actions={<InviteMember />}
      />
      <MemberList initial={await listMembers(context)} />
    </>
  );
}
