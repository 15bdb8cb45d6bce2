import { Contrast, Palette } from "lucide-react";
import { ToggleButton } from "@/components/ui/toggle-button";
import { t } from "@/lib/ground/texts/t";
import type { DarkWay } from "./frame-document";

/** Which of the two things that mail programs do in dark mode is shown. */
export function DarkChoice({ way, onChoose }: { way: DarkWay; onChoose: (way: DarkWay) => void }) {
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 text-xs text-faint" role="status">
        {way === "own"
          ? t("As Apple Mail shows it: with the email’s own colours for dark mode, if it has any.")
          : t(
              "Roughly as Gmail and Outlook show it: light backgrounds become dark and dark text light, images stay. Each program does it in its own way.",
            )}
      </p>
      <div role="group" aria-label={t("In dark mode")} className="flex gap-1">
        <ToggleButton
          icon={Palette}
          label={t("Own colours")}
          chosen={way === "own"}
          onChoose={() => onChoose("own")}
        />
        <ToggleButton
          icon={Contrast}
          label={t("Inverted")}
          chosen={way === "inverted"}
          onChoose={() => onChoose("inverted")}
        />
      </div>
    </div>
  );
}
