"use client";

import "react-image-crop/dist/ReactCrop.css";
import { useEffect, useRef, useState } from "react";
import { ReactCrop, type PercentCrop } from "react-image-crop";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { ToggleButton } from "@/components/ui/toggle-button";
import { RectangleHorizontal, Scan, Square, type LucideIcon } from "lucide-react";
import { phrases, t } from "@/lib/ground/texts/t";
import { croppedName, croppedType, nameAt, pixelArea } from "./crop-area";
import { useUploads } from "./use-uploads";

const shapes: readonly { label: string; aspect: number | undefined; icon: LucideIcon }[] = phrases([
  { label: "Any shape", aspect: undefined, icon: Scan },
  { label: "Square", aspect: 1, icon: Square },
  { label: "3 : 2", aspect: 3 / 2, icon: RectangleHorizontal },
  { label: "16 : 9", aspect: 16 / 9, icon: RectangleHorizontal },
]);

/** For screen readers; the component's own words are English. */
const handles = phrases({
  cropArea: "Use the arrow keys to move the crop selection area",
  nwDragHandle:
    "Use the arrow keys to move the north west drag handle to change the crop selection area",
  nDragHandle:
    "Use the up and down arrow keys to move the north drag handle to change the crop selection area",
  neDragHandle:
    "Use the arrow keys to move the north east drag handle to change the crop selection area",
  eDragHandle:
    "Use the up and down arrow keys to move the east drag handle to change the crop selection area",
  seDragHandle:
    "Use the arrow keys to move the south east drag handle to change the crop selection area",
  sDragHandle:
    "Use the up and down arrow keys to move the south drag handle to change the crop selection area",
  swDragHandle:
    "Use the arrow keys to move the south west drag handle to change the crop selection area",
  wDragHandle:
    "Use the up and down arrow keys to move the west drag handle to change the crop selection area",
});

const nameOf = (src: string) => nameAt(new URL(src, location.href));

/** Whether the part of an image can be taken here: browsers let nobody read images of other servers. */
export function isCroppable(src: string): boolean {
  if (!URL.canParse(src, location.href)) return false;
  return (
    new URL(src, location.href).origin === location.origin && croppedType(nameOf(src)) !== null
  );
}

/** The largest area of a shape, in the middle. */
function middle(image: HTMLImageElement, aspect: number): PercentCrop {
  const wide = image.naturalWidth / image.naturalHeight > aspect;
  const width = wide ? (100 * aspect * image.naturalHeight) / image.naturalWidth : 100;
  const height = wide ? 100 : (100 * image.naturalWidth) / aspect / image.naturalHeight;
  return { unit: "%", width, height, x: (100 - width) / 2, y: (100 - height) / 2 };
}

function cut(image: HTMLImageElement, area: PercentCrop, src: string): Promise<File | null> {
  const pixels = pixelArea(area, { width: image.naturalWidth, height: image.naturalHeight });
  const canvas = document.createElement("canvas");
  canvas.width = pixels.width;
  canvas.height = pixels.height;
  const { x, y, width, height } = pixels;
  canvas.getContext("2d")?.drawImage(image, x, y, width, height, 0, 0, width, height);
  const type = croppedType(nameOf(src)) ?? "image/png";
  return new Promise((resolve) =>
    canvas.toBlob(
      (blob) => resolve(blob && new File([blob], croppedName(nameOf(src)), { type })),
      type,
      0.92,
    ),
  );
}

/** Takes a part of an image of the library, as a new image beside it. */
export function CropDialog({
  src,
  onCropped,
  onClose,
}: {
  src: string;
  onCropped: (url: string) => void;
  onClose: () => void;
}) {
  const image = useRef<HTMLImageElement>(null);
  const [aspect, setAspect] = useState<number>();
  const [area, setArea] = useState<PercentCrop>({ unit: "%", x: 10, y: 10, width: 80, height: 80 });
  const [arrival, setArrival] = useState<"loading" | "shown" | "broken">("loading");
  const [isBusy, setIsBusy] = useState(false);
  // Whoever cancels while the part is being uploaded keeps the whole image.
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const { sendings, send } = useUploads(([file]) => {
    if (file && isOpen.current) onCropped(file.url);
  });
  const fault =
    arrival === "broken"
      ? t("The image could not be loaded: it may have been deleted from the library.")
      : sendings.find((sending) => sending.fault !== null)?.fault;
  const crop = async () => {
    if (!image.current) return;
    setIsBusy(true);
    const file = await cut(image.current, area, src);
    if (!isOpen.current) return;
    if (file) send([file]);
    else toast.error(t("The image could not be cropped"));
    setIsBusy(false);
  };
  return (
    <Dialog
      open
      wide
      keepOnOutsidePress
      onOpenChange={(open) => !open && onClose()}
      title={t("Crop the image")}
      description={t("The part becomes a new image in the library; the whole one stays there.")}
      footer={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button
            variant="primary"
            pending={isBusy || sendings.some((sending) => sending.fault === null)}
            disabled={arrival !== "shown" || area.width === 0 || area.height === 0}
            onClick={() => void crop()}
          >
            {t("Crop")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <div role="group" aria-label={t("Shape")} className="flex flex-wrap gap-1">
          {shapes.map((shape) => (
            <ToggleButton
              key={String(shape.aspect)}
              icon={shape.icon}
              label={shape.label}
              chosen={aspect === shape.aspect}
              onChoose={() => {
                setAspect(shape.aspect);
                if (shape.aspect && image.current) setArea(middle(image.current, shape.aspect));
              }}
            />
          ))}
        </div>
        {fault && (
          <p role="alert" className="text-sm text-danger">
            {fault}
          </p>
        )}
        <div className="flex justify-center bg-sunken">
          <ReactCrop
            crop={area}
            {...(aspect ? { aspect } : {})}
            keepSelection
            ruleOfThirds
            ariaLabels={handles}
            onChange={(_, percent) => setArea(percent)}
          >
            <img
              ref={image}
              src={src}
              alt={t("The whole image")}
              className="max-h-[50vh]"
              onLoad={() => setArrival("shown")}
              onError={() => setArrival("broken")}
            />
          </ReactCrop>
        </div>
      </div>
    </Dialog>
  );
}
