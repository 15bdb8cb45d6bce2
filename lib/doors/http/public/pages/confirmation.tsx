/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import type { Confirmation } from "@/lib/domain/opt-outs/schema";
import { answerPage, visitorOf, type Visitor } from "./frame";
import { Notice, PostButton, Rich } from "./parts";

function stateOf({ state, subscribed }: Confirmation) {
  if (state !== "used") return state;
  return subscribed ? "subscribed" : "left";
}

/** What a confirmation link shows; only the button confirms. */
export function confirmationPage(visitor: Visitor, confirmation: Confirmation, token: string) {
  const { brand, list, listId, email, leftAll } = confirmation;
  const { texts } = visitor;
  const state = stateOf(confirmation);
  const project = brand?.project ?? "";
  return {
    visitor,
    brand,
    title: texts.text(`confirm.${state}.title`),
    lead: <Rich texts={texts} of={`confirm.${state}.lead`} values={{ project, list, email }} />,
    children: (
      <>
        {state === "open" && (
          <div class="actions">
            <PostButton
              visitor={visitor}
              action={`/t/confirm/${token}`}
              label={texts.text("confirm.button")}
              primary
            />
          </div>
        )}
        {state === "subscribed" && leftAll && (
          <Notice warning>{texts.text("confirm.leftAll", { project })}</Notice>
        )}
        {(state === "subscribed" || state === "left") && (
          <div class="actions">
            <a class="button" href={`/preferences/${confirmation.token}`}>
              {texts.text(leftAll ? "preferences.rejoin" : "confirm.choose")}
            </a>
            {state === "subscribed" && (
              <PostButton
                visitor={visitor}
                action={`/t/preferences/${confirmation.token}`}
                fields={{ action: "leave", list: listId }}
                label={texts.text("preferences.leave.about", { name: list })}
              />
            )}
          </div>
        )}
      </>
    ),
  };
}

export function answerConfirmation(
  c: Context,
  confirmation: Confirmation,
  token: string,
): Response | Promise<Response> {
  const { brand, person } = confirmation;
  const visitor = visitorOf(c, { person, project: brand?.language ?? null });
  return answerPage(c, confirmationPage(visitor, confirmation, token));
}
