import type { ReactNode } from "react";
import { QuietPage } from "@/components/shell/quiet-page";
import { Callout } from "@/components/ui/callout";
import { LinkButton } from "@/components/ui/button";
import type { Confirmation } from "@/lib/domain/opt-outs/schema";
import { LinkForm } from "./link-form";

const strong = (text: string) => <strong className="font-medium break-words">{text}</strong>;

function words(confirmation: Confirmation): { title: string; lead: ReactNode } {
  const { state, list, email, project, subscribed } = confirmation;
  switch (state) {
    case "open":
      return {
        title: "One press, and you are on the list",
        lead: (
          <>
            {strong(list)} by {project} is sent to {strong(email)} once you confirm. If it was not
            you who asked for it, close this page: nothing is sent.
          </>
        ),
      };
    case "used":
      return subscribed
        ? {
            title: "You are on the list",
            lead: (
              <>
                {strong(list)} is sent to {strong(email)} from now on.
              </>
            ),
          }
        : {
            title: "This link has done its work",
            lead: (
              <>
                It confirmed {strong(list)} for {strong(email)} before, and you are not on that list
                now.
              </>
            ),
          };
    case "expired":
      return {
        title: "This link is too old",
        lead: (
          <>
            Links that confirm work for 30 days. Sign up for {strong(list)} again, and a new one
            comes.
          </>
        ),
      };
    case "gone":
      return {
        title: "Nothing to confirm",
        lead: "This subscription was deleted meanwhile. Nothing is sent, and there is nothing to do.",
      };
  }
}

/** What a link that asks for confirmation shows: only the button confirms. */
export function ConfirmationView({
  confirmation,
  token,
}: {
  confirmation: Confirmation;
  token: string;
}) {
  const { state, project, subscribed, leftAll } = confirmation;
  const known = state === "used" && confirmation.token !== "";
  return (
    <QuietPage brand={project || undefined} {...words(confirmation)}>
      {state === "open" && (
        <LinkForm action={`/t/confirm/${token}`} label="Confirm" variant="primary" size="lg" />
      )}
      {known && (
        <div className="flex flex-col items-start gap-4">
          {subscribed && leftAll && (
            <Callout kind="warning">
              You once unsubscribed from everything {project} sends, and that stays so until you
              lift it.
            </Callout>
          )}
          <LinkButton href={`/preferences/${confirmation.token}`} prefetch={false}>
            {leftAll ? "Subscribe again" : "Choose what you get"}
          </LinkButton>
        </div>
      )}
    </QuietPage>
  );
}
