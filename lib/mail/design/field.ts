import { z } from "zod";
import { emailDesign } from "./schema";

const mostFaults = 10;

/** A design as request bodies carry it. The API documents name it, but not each kind of block. */
export const designInput = z
  .record(z.string(), z.unknown())
  .superRefine((value, ctx) => {
    const { error } = emailDesign.safeParse(value);
    for (const { path, message } of error?.issues.slice(0, mostFaults) ?? []) {
      ctx.addIssue({ code: "custom", path, message });
    }
  })
  .nullable()
  .optional();

/** The same in a response. */
export const designOutput = z.record(z.string(), z.unknown()).nullable();
