import { z } from "zod";
import type { PersonRequestKind } from "@/db/enums";
import type { ProjectBrand } from "@/lib/domain/opt-outs/schema";
import { normalizeAddress } from "@/lib/mail/address";

/** What a person can ask for on their preference page; a mail's link confirms it. */
export const personRequestInput = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("address"),
    /** null: it is no address. */
    email: z
      .string()
      .max(1_000)
      .transform((text) => normalizeAddress(text)),
  }),
  z.object({ action: z.enum(["download", "erase"]) }),
]);
export type PersonRequestInput = z.infer<typeof personRequestInput>;

/**
 * What became of asking. `unsent`: the mail server did not take the mail; `faulty`: no address was given;
 * `refused`: nothing is sent to the person, or the address was changed lately.
 */
export type AskOutcome = "asked" | "tooMany" | "unsent" | "faulty" | "refused" | "deleted";

/**
 * Where the link of such a mail stands. `open` waits for the button; `done` and `undone`: a change of address;
 * `stale`: it cannot be done any more; `gone`: too old to be known, or erased with the person.
 */
export type PersonRequestState = "open" | "done" | "undone" | "stale" | "expired" | "gone";

export interface PersonRequest {
  kind: PersonRequestKind;
  state: PersonRequestState;
  /** null when gone; the rest is empty then. */
  brand: ProjectBrand | null;
  /** The language that is known of the person; null: none. */
  person: string | null;
  /** The new address, or the person's. */
  email: string;
  /** The change can be taken back. */
  undoable: boolean;
  /** Of the person's preferences. */
  token: string | null;
}
