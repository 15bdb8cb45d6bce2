/** A part of an image, in hundredths of its sides. */
interface PercentArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The same in the image's own pixels: whole ones, at least one, and none outside it. */
export function pixelArea(
  area: PercentArea,
  natural: { width: number; height: number },
): PercentArea {
  const [x, width] = side(area.x, area.width, natural.width);
  const [y, height] = side(area.y, area.height, natural.height);
  return { x, y, width, height };
}

function side(from: number, share: number, length: number): [start: number, length: number] {
  const start = Math.min(Math.max(0, Math.round((from * length) / 100)), length - 1);
  const end = Math.min(length, Math.round(((from + share) * length) / 100));
  return [start, Math.max(1, end - start)];
}

/** The name of the file at an address, as people wrote it. */
export function nameAt({ pathname }: URL): string {
  const last = pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  webp: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
};
const endingOf = (name: string) => name.split(".").at(-1)?.toLowerCase() ?? "";

/** The type that a part of a file is stored as; null: it cannot be cropped without losing what moves in it. */
export const croppedType = (name: string): string | null => types[endingOf(name)] ?? null;

/** `photo-cropped.jpg` for a part of `photo.jpeg`. */
export function croppedName(name: string): string {
  const base = name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : name;
  const plain = base.replace(/-cropped$/, "");
  return `${plain || "image"}-cropped.${croppedType(name) === "image/png" ? "png" : "jpg"}`;
}
