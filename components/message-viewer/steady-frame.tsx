"use client";

import { useState, type ComponentProps } from "react";
import { SandboxedFrame } from "./sandboxed-frame";

/**
 * A document that changes while it is looked at. The one before stays until the next is drawn: a frame that loads is
 * blank.
 */
export function SteadyFrame({
  srcDoc,
  title,
  ...frame
}: Omit<ComponentProps<typeof SandboxedFrame>, "src" | "srcDoc" | "style"> & { srcDoc: string }) {
  const [drawn, setDrawn] = useState("");
  const documents = drawn === "" || drawn === srcDoc ? [srcDoc] : [drawn, srcDoc];
  const [shown] = documents;
  return (
    <div className="relative size-full">
      {documents.map((one) => (
        <div key={one} className={one === shown ? "size-full" : "invisible absolute inset-0"}>
          <SandboxedFrame
            {...frame}
            title={one === shown ? title : ""}
            srcDoc={one}
            onLoad={() => setDrawn(one)}
          />
        </div>
      ))}
    </div>
  );
}
