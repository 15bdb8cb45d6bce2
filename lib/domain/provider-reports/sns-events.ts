import { AppError } from "@/lib/ground/errors";
import { GuardedFetchError } from "@/lib/ground/net/guarded-fetch";
import { confirmSubscription, isFromSns, readSnsMessage, type SnsMessage } from "./sns-message";

/** Who takes a topic's notifications. */
export interface Subscriber {
  region: string;
  /** null: the first one whose subscription is confirmed. */
  topicArn: string | null;
  /** Called when a topic is confirmed; false: another came first. */
  keep: (topicArn: string) => Promise<boolean>;
}

/**
 * What Amazon SNS brings: the event in it, or what became of a message about the subscription itself. Throws
 * UNAVAILABLE while SNS cannot be asked: it tries again.
 */
export async function openSnsMessage(
  { region, topicArn, keep }: Subscriber,
  body: Buffer,
): Promise<{ json: unknown } | "taken" | "forged" | "foreign"> {
  const message = readSnsMessage(body);
  if (message === null) return "forged";
  const asks = message.Type === "SubscriptionConfirmation";
  // A stranger's topic is turned away before anything is fetched for it.
  if (message.region !== region || (topicArn === null && !asks)) return "foreign";
  if (topicArn !== null && topicArn !== message.TopicArn) return "foreign";
  try {
    if (!(await isFromSns(message, Date.now() / 1000))) return "forged";
    if (asks) {
      if (!(await confirmSubscription(message))) return "forged";
      return (await keep(message.TopicArn)) ? "taken" : "foreign";
    }
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    throw new AppError("UNAVAILABLE", "Amazon SNS cannot be reached at the moment.");
  }
  return message.Type === "Notification" ? { json: eventIn(message) } : "taken";
}

/** null: SNS's own words, such as those after a topic was made. */
function eventIn({ Message }: SnsMessage): unknown {
  try {
    return JSON.parse(Message);
  } catch {
    return null;
  }
}
