import { subscribe, unsubscribe } from "@/lib/domain/lists/change-subscribers";
import { operation } from "@/lib/doors/http/surface/operation";
import { isAppError } from "@/lib/ground/errors";
import { done, notDone, plainOutcome, uidParam } from "./values";

const tag = "Subscribers";
const exampleUid = "sub_01kat4rz8sfq3v6d1mpx3k6w9j";
const params = uidParam("subscriber", exampleUid);

const messages = {
  subscribed: "Subscriber was subscribed",
  alreadySubscribed: "Already subscribed",
  unsubscribed: "Subscriber was unsubscribed",
};

/** Subscribing to the list again, and unsubscribing from it. */
export const subscriptionOperations = [
  operation({
    method: "patch",
    path: "/subscribers/{uid}/subscribe",
    name: "subscribe",
    summary: "Subscribe again, or confirm",
    description:
      "Status 0 if already subscribed, and for an address that bounced or complained: the suppression has to be lifted. A person who unsubscribed from everything stays unsubscribed: campaigns skip them until they opt in again themselves.",
    tag,
    access: "editor",
    rate: "api",
    params,
    answer: plainOutcome,
    answerExample: { status: 1, message: messages.subscribed },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { uid } }) => {
      try {
        const { changed } = await subscribe(ctx, uid);
        return changed ? done(messages.subscribed) : notDone(messages.alreadySubscribed);
      } catch (error) {
        if (isAppError(error) && error.code === "CONFLICT") return notDone(error.message);
        throw error;
      }
    },
  }),
  operation({
    method: "patch",
    path: "/subscribers/{uid}/unsubscribe",
    name: "unsubscribe",
    summary: "Unsubscribe from the list",
    description: "From this list only.",
    tag,
    access: "editor",
    rate: "api",
    params,
    answer: plainOutcome,
    answerExample: { status: 1, message: messages.unsubscribed },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { uid } }) => {
      await unsubscribe(ctx, uid);
      return done(messages.unsubscribed);
    },
  }),
] as const;
