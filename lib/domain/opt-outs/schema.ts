import { z } from "zod";
import {
  leaveReasons,
  type Consent,
  type PersonRequestKind,
  type SuppressionReason,
} from "@/db/enums";
import { storableText } from "@/lib/ground/storable-text";

/** Characters of what somebody says about leaving; a field counts a line break as one. */
export const longestComment = 1_000;

/** What cannot be kept of it is left out: it must not keep anybody from leaving. */
const why = {
  /** An empty choice counts as none. */
  reason: z.enum(leaveReasons).or(z.literal("")).optional().catch(undefined),
  comment: z
    .string()
    .transform((text) =>
      storableText(text.replaceAll("\r\n", "\n").trim().slice(0, longestComment)),
    )
    .optional(),
};

const personName = z
  .string()
  .trim()
  .max(200)
  .regex(/^\P{Cc}*$/u);

/** What a person can ask for by the links of their mail. `leave` and `join` name a list. */
export const preferenceChange = z.discriminatedUnion("action", [
  z.object({ action: z.enum(["leave", "join"]), list: z.string().max(100) }),
  z.object({ action: z.enum(["leave-topic", "join-topic"]), topic: z.string().max(100) }),
  z.object({ action: z.literal("leave-all"), ...why }),
  z.object({ action: z.literal("return") }),
  z.object({ action: z.enum(["resume", "weekly", "normal"]) }),
  z.object({ action: z.literal("pause"), days: z.enum(["30", "90"]) }),
  z.object({ action: z.literal("name"), firstName: personName, lastName: personName }),
]);
export type PreferenceChange = z.infer<typeof preferenceChange>;

/** What undoes a choice: another choice, or a break with its original end (ISO 8601). */
export type Restoring = PreferenceChange | { action: "pause-until"; until: string };

/** A person's membership in a list; `stopped`: by a bounce or a complaint, not by choice. */
export interface ListPreference {
  id: string;
  name: string;
  status: "subscribed" | "unsubscribed" | "unconfirmed" | "stopped";
  /** Whether the mail with the link was sent to this list. */
  linked: boolean;
}

/** The sender of the mail, as the recipient's pages show it. */
export interface ProjectBrand {
  projectId: string;
  project: string;
  color: string | null;
  /** What its mails look like, as it is stored; null: as ours. */
  mails: object | null;
  /** BCP 47. */
  language: string;
  /** With line breaks; empty: none. */
  postalAddress: string;
}

/** A topic of the project; `left`: they get no mail about it. */
export interface TopicPreference {
  id: string;
  name: string;
  description: string;
  left: boolean;
}

/** What the holder of a link sees of what a project sends them. */
export interface Preferences {
  brand: ProjectBrand;
  /** The person's language; null when it is not known. */
  person: string | null;
  email: string;
  firstName: string;
  lastName: string;
  consent: Consent;
  /**
   * Why nothing is sent to the address, whatever the person chooses; null when mail is sent. Only the project can
   * lift it.
   */
  blocked: SuppressionReason | null;
  /** The mail's own list first, then by name. */
  lists: ListPreference[];
  /** The mail's own first, then by name. */
  topics: TopicPreference[];
  /** When their break ends; null when they are not on one. */
  pausedUntil: Date | null;
  /** One campaign a week at most. */
  weekly: boolean;
  /** What they asked for in the last minutes, to be confirmed by mail. */
  asked: PersonRequestKind[];
  /** The address was changed recently, so one of their links cannot give out their data yet. */
  moved: boolean;
}

/**
 * The state of a confirmation link. `open`: waiting for the button; `used`: confirmed, or left since; `expired`:
 * too old; `gone`: the membership was deleted, or is no longer that of the address the link was mailed to.
 */
export type ConfirmationState = "open" | "used" | "expired" | "gone";

export interface Confirmation {
  state: ConfirmationState;
  /** null when gone; the rest is empty then. */
  brand: ProjectBrand | null;
  /** The person's language; null when it is not known. */
  person: string | null;
  list: string;
  listId: string;
  email: string;
  /** Whether they are on the list now. */
  subscribed: boolean;
  /** Has unsubscribed from everything, which being on a list does not lift. */
  leftAll: boolean;
  /** Of the person's preferences. */
  token: string;
}
