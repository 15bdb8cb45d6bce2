import type { Place } from "@/components/source-editor/place";

/** Places that somebody was taken to: coming back to an editor later does not lead there again. */
export const followed = new WeakSet<Place>();
