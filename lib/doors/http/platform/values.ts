import { z } from "zod";

/** Times of this surface: `2026-11-21T07:00:00.000000Z`, to the microsecond. */
export function microseconds(iso: string): string {
  return new Date(iso).toISOString().replace("Z", "000Z");
}

/** `2026-11-21 07:00:00`, UTC. */
export function dateTime(iso: string): string {
  return new Date(iso).toISOString().slice(0, 19).replace("T", " ");
}

export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  .meta({ example: "2026-11-21T07:00:00.000000Z" });

/** "1" and "0", and what JSON clients send instead. Read with isOn, so that the document shows what is sent. */
export const flag = z.union([
  z.enum(["0", "1", "true", "false"], { error: 'is not "0" or "1"' }),
  z.boolean(),
  z.literal([0, 1], { error: "is not 0 or 1" }),
]);

export function isOn(value: z.infer<typeof flag> | undefined): boolean {
  return value === true || value === 1 || value === "1" || value === "true";
}

/** What every write answers with, at least. */
export const outcome = {
  status: z.union([z.literal(0), z.literal(1)]).meta({ description: "1: done, 0: not done." }),
  message: z.string(),
};
export const plainOutcome = z.object(outcome).meta({ id: "Outcome" });

/** The answer of a write that was done. */
export function done<More extends object>(message: string, more?: More) {
  return { status: 200 as const, body: { status: 1 as const, message, ...(more as More) } };
}

/** The answer of a write that changed nothing. */
export function notDone(message: string) {
  return { status: 200 as const, body: { status: 0 as const, message } };
}

/** Text that the domain's schema reads next, as long as it is allowed to be there. */
export function textFor(inner: z.ZodString | z.ZodOptional<z.ZodString>) {
  const { maxLength } = inner instanceof z.ZodOptional ? inner.unwrap() : inner;
  if (maxLength === null) throw new Error("The domain does not bound this text.");
  return z.string().trim().max(maxLength);
}

export function uidParam(of: string, example: string) {
  return z.object({ uid: z.string().meta({ description: `Uid of the ${of}.`, example }) });
}

/** The query's `page` and `per_page`. */
export function paging(standard: number) {
  return {
    page: z
      .string()
      .regex(/^[1-9]\d{0,5}$/, "is not a page number")
      .optional()
      .meta({ description: "From 1.", example: "1" }),
    per_page: z
      .string()
      .regex(/^([1-9]\d{0,2}|1000)$/, "is not a number from 1 to 1000")
      .optional()
      .meta({ description: `1 to 1000; ${standard} by default.`, example: String(standard) }),
  };
}

/** The requested page as a number of rows to return and to skip. */
export function sliceOf(
  query: { page?: string | undefined; per_page?: string | undefined },
  standard: number,
): { limit: number; offset: number } {
  const limit = Number(query.per_page ?? standard);
  return { limit, offset: (Number(query.page ?? 1) - 1) * limit };
}
