"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/faults";
import { useMay, useProject } from "@/components/api/project-context";
import { roleLabels } from "@/components/api/role-labels";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { ConfirmAction } from "@/components/form/confirm-action";
import { DialogForm } from "@/components/form/dialog-form";
import { useAction } from "@/components/form/use-action";
import { lazySchema } from "@/components/form/lazy-schema";
import { useForm } from "@/components/form/use-form";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import type { Member, MemberList as Members, MemberUpdate } from "@/lib/domain/members/schema";
import { t } from "@/lib/ground/texts/t";
import { OpenInvitations } from "./open-invitations";
import { RoleField } from "./role-field";

const memberUpdate = lazySchema(
  async () => (await import("@/lib/domain/members/schema")).memberUpdate,
);

/** A project's people, and those it has asked in. */
export function MemberList({ initial }: { initial: Members }) {
  const list = useRead("GET /v1/members", {}, { initial, every: 60_000 });
  const [changing, setChanging] = useState<Member | null>(null);
  const [removing, setRemoving] = useState<Member | null>(null);
  const { data: members, invitations } = list.data;
  const owners = members.filter(({ role }) => role === "owner").length;
  return (
    <>
      <NotUpToDate of={list} />
      <Table label={t("Members")}>
        <TableHead>
          <HeaderCell>{t("Person")}</HeaderCell>
          <HeaderCell>{t("Role")}</HeaderCell>
          <HeaderCell className="max-md:hidden">{t("Two-step sign-in")}</HeaderCell>
          <HeaderCell className="max-sm:hidden">{t("Last here")}</HeaderCell>
          <HeaderCell className="max-lg:hidden">{t("Joined")}</HeaderCell>
          <HeaderCell>
            <span className="sr-only">{t("Actions")}</span>
          </HeaderCell>
        </TableHead>
        <tbody>
          {members.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              onlyOwner={member.role === "owner" && owners === 1}
              onChange={() => setChanging(member)}
              onRemove={() => setRemoving(member)}
            />
          ))}
        </tbody>
      </Table>
      {invitations.length > 0 && <OpenInvitations invitations={invitations} />}
      {changing && <ChangeRole member={changing} onClose={() => setChanging(null)} />}
      {removing && <Remove member={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

function MemberRow({
  member,
  onlyOwner,
  onChange,
  onRemove,
}: {
  member: Member;
  onlyOwner: boolean;
  onChange: () => void;
  onRemove: () => void;
}) {
  const { role: own, onlyProject } = useProject();
  const mayManage = useMay("admin") && (member.role !== "owner" || own === "owner");
  const name = member.name || member.email;
  return (
    <Row>
      <Cell className="wrap-anywhere">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{name}</span>
          {member.you && <Badge tone="info">{t("you")}</Badge>}
        </span>
        {member.name && <span className="block text-soft">{member.email}</span>}
      </Cell>
      <Cell className="capitalize">{roleLabels[member.role]}</Cell>
      <Cell className="text-soft max-md:hidden">{member.twoStep ? t("on") : t("off")}</Cell>
      <Cell className="text-soft max-sm:hidden">
        <RelativeTime value={member.lastSeenAt} />
      </Cell>
      <Cell className="text-soft max-lg:hidden">
        <RelativeTime value={member.joinedAt} />
      </Cell>
      <Cell className="text-right whitespace-nowrap">
        {!onlyProject && mayManage && !onlyOwner && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={t("Change the role of {name}", { name })}
            onClick={onChange}
          >
            {t("Change role")}
          </Button>
        )}
        {!onlyProject && (mayManage || member.you) && !onlyOwner && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={member.you ? t("Leave the project") : t("Remove {name}", { name })}
            onClick={onRemove}
          >
            {member.you ? t("Leave") : t("Remove")}
          </Button>
        )}
      </Cell>
    </Row>
  );
}

function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const api = useApi();
  const name = member.name || member.email;
  const change = (body: MemberUpdate) =>
    api("PATCH /v1/members/{id}", { params: { id: member.id }, body });
  const tell = (role: Member["role"], options: Parameters<typeof toast.success>[1]) =>
    toast.success(
      t(
        "{name} is {role, select, owner {an owner} admin {an admin} editor {an editor} other {a viewer}} now",
        { name, role },
      ),
      options,
    );
  const [before] = useState(member.role);
  const takeBack = useAction({
    mutationFn: () => change({ role: before }),
    onSuccess: () => tell(before, {}),
    onError: (error) => toast.error(t("Nothing was undone"), { description: messageOf(error) }),
  });
  const form = useForm({
    initial: { role: member.role },
    schema: memberUpdate,
    guard: false,
    leaves: true,
    send: change,
    onSent: (_, { role }) => {
      // Whoever changes their own may not be allowed to take it back.
      tell(role, member.you ? {} : { action: { label: t("Undo"), run: () => takeBack.mutate() } });
      onClose();
      // What the page offers goes by the reader's own role.
      if (member.you) window.location.reload();
    },
  });
  return (
    <DialogForm
      title={t("What may {name} do?", { name })}
      action={t("Save")}
      form={form}
      onClose={onClose}
    >
      <RoleField
        value={form.draft.role}
        onChange={(role) => form.set({ role })}
        error={form.fault("role")}
      />
    </DialogForm>
  );
}

function Remove({ member, onClose }: { member: Member; onClose: () => void }) {
  const api = useApi();
  const { name: project } = useProject();
  const name = member.name || member.email;
  return (
    <ConfirmAction
      title={member.you ? t("Leave {project}?", { project }) : t("Remove {name}?", { name })}
      action={member.you ? t("Leave") : t("Remove")}
      run={() =>
        member.you
          ? api("POST /v1/members/leave", {})
          : api("DELETE /v1/members/{id}", { params: { id: member.id } })
      }
      leaves={member.you}
      done={
        member.you
          ? t("You have left {project}", { project })
          : t("{name} is no longer a member", { name })
      }
      onDone={() => {
        if (member.you) window.location.assign("/dashboard");
      }}
      onClose={onClose}
    >
      {member.you
        ? t(
            "You no longer see anything of the project, and come back only when you are invited again.",
          )
        : t(
            "{name} no longer sees anything of {project}. Assistants that act for them stop, and invitations they sent are withdrawn. API keys they have made go on working: revoke those they know.",
            { name, project },
          )}
    </ConfirmAction>
  );
}
