import { MoreHorizontal, Pencil, TextCursorInput, Trash2 } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { t } from "@/lib/ground/texts/t";

/** What somebody is doing to a field or a tag. */
export type Doing = "edit" | "rename" | "remove";

/** What can be done to one field or tag. */
export function SubjectMenu({
  name,
  edit,
  onChoose,
}: {
  name: string;
  /** Label of what leads to its type and description, which tags do not have. */
  edit?: string;
  onChoose: (what: Doing) => void;
}) {
  return (
    <Menu
      trigger={
        <IconButton size="sm" label={t("Change {name}", { name })}>
          <MoreHorizontal aria-hidden />
        </IconButton>
      }
    >
      {edit && (
        <MenuItem onClick={() => onChoose("edit")}>
          <Pencil aria-hidden /> {edit}
        </MenuItem>
      )}
      <MenuItem onClick={() => onChoose("rename")}>
        <TextCursorInput aria-hidden /> {t("Rename or merge…")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger onClick={() => onChoose("remove")}>
        <Trash2 aria-hidden /> {t("Remove…")}
      </MenuItem>
    </Menu>
  );
}
