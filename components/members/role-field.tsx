"use client";

import { useProject } from "@/components/api/project-context";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { roleNames, type Role } from "@/db/enums";
import { roleWords } from "@/lib/domain/members/schema";

const label = (role: Role) => role.charAt(0).toUpperCase() + role.slice(1);

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
    <Field label="Role" name="role" hint={roleWords[value]} error={error}>
      <Select
        name="role"
        options={roles.map((role) => ({ value: role, label: label(role) }))}
        value={value}
        onChange={onChange}
      />
    </Field>
  );
}
