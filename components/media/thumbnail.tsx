import { CalendarDays, FileSpreadsheet, FileText, type LucideIcon } from "lucide-react";
import type { StoredFile } from "@/lib/domain/files/schema";

const icons: Partial<Record<string, LucideIcon>> = {
  "text/calendar": CalendarDays,
  "text/csv": FileSpreadsheet,
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": FileSpreadsheet,
};

/** The path of a file's address: the content security policy allows only images from this host. */
const ownPath = (url: string) => new URL(url).pathname;

export const isPicture = ({ contentType }: StoredFile) => contentType.startsWith("image/");

/** An image as it is, any other file as an icon of its type. */
export function Thumbnail({ file }: { file: StoredFile }) {
  const Icon = icons[file.contentType] ?? FileText;
  return (
    <div className="flex aspect-4/3 items-center justify-center overflow-hidden rounded-md border bg-sunken">
      {isPicture(file) ? (
        // Sizes are unknown and images in mail are small: the original is the thumbnail.
        <img
          src={ownPath(file.url)}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full object-contain"
        />
      ) : (
        <Icon className="size-10 text-faint" strokeWidth={1.25} aria-hidden />
      )}
    </div>
  );
}
