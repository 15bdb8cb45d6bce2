import { z } from "zod";
import type { PersonRequestKind } from "@/db/enums";
import type { ProjectBrand } from "@/lib/domain/opt-outs/schema";
import { normalizeAddress } from "@/lib/mail/address";

/** What a person can ask for on their preference page; a mail's link confirms it. */
export const personRequestInput = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("address"),
    /** null: not an address. */
    email: z
      .string()
      .max(1_000)
      .transform((text) => normalizeAddress(text)),
  }),
  z.object({ action: z.enum(["download", "erase"]) }),
]);
export type PersonRequestInput = z.infer<typeof personRequestInput>;

/**
 * The outcome of a request. `unsent`: the mail server did not accept the mail; `faulty`: no address was given;
 * `refused`: nothing is sent to the person, or the address was changed recently.
 */
export type AskOutcome = "asked" | "tooMany" | "unsent" | "faulty" | "refused" | "deleted";

/**
 * The state of such a mail's link. `open` waits for the button; `done` and `undone`: a change of address;
 * `stale`: it can no longer be done; `gone`: deleted by age, or with the person.
 */
export type PersonRequestState = "open" | "done" | "undone" | "stale" | "expired" | "gone";

export interface PersonRequest {
  kind: PersonRequestKind;
  state: PersonRequestState;
  /** null when gone; the rest is empty then. */
  brand: ProjectBrand | null;
  /** The person's language; null when it is not known. */
  person: string | null;
  /** The new address, or the person's. */
  email: string;
  /** Whether the change can be undone. */
  undoable: boolean;
  /** Of the person's preferences. */
  token: string | null;
}
