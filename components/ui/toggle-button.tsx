import type { LucideIcon } from "lucide-react";
import { Button } from "./button";

/** A small button that stays pressed, as one of several ways to look at something. */
export function ToggleButton({
  icon: Icon,
  label,
  chosen,
  onChoose,
}: {
  icon: LucideIcon;
  label: string;
  chosen: boolean;
  onChoose: () => void;
}) {
  return (
    <Button
      size="sm"
      variant={chosen ? "secondary" : "ghost"}
      aria-pressed={chosen}
      onClick={onChoose}
    >
      <Icon aria-hidden /> {label}
    </Button>
  );
}
