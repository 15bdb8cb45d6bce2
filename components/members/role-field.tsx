"use client";

import { useProject } from "@/components/api/project-context";
import { roleLabels } from "@/components/api/role-labels";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { roleNames, type Role } from "@/db/enums";
import { roleWords } from "@/lib/domain/members/terms";
import { t } from "@/lib/ground/texts/t";

function labelOf(role: Role): string {
  const label = roleLabels[role];
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** Chooses a role, and says what it may do. Only owners make owners. */
export function RoleField({
  value,
  onChange,
  error,
}: {
  value: Role;
  onChange: (role: Role) => void;
  error: string | null;
}) {
  const { role: own } = useProject();
  const roles = roleNames.filter((role) => role !== "owner" || own === "owner");
  return (
    <Field label={t("Role")} name="role" hint={roleWords[value]} error={error}>
      <Select
        name="role"
        options={roles.map((role) => ({ value: role, label: labelOf(role) }))}
        value={value}
        onChange={onChange}
      />
    </Field>
  );
}
