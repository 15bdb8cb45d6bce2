import { t } from "@/lib/ground/texts/t";

/** Between two ways to go on. */
export function Or() {
  return (
    <div className="my-5 flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-rule after:h-px after:flex-1 after:bg-rule">
      {t("or")}
    </div>
  );
}
