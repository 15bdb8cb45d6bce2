import type { ReactNode } from "react";
import { QuietPage } from "@/components/shell/plain-page";
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
        title: "Confirm your subscription",
        lead: (
          <>
            {project} will send {strong(list)} to {strong(email)} once you confirm. If you did not
            ask for this, close this page and nothing will be sent.
          </>
        ),
      };
    case "used":
      return subscribed
        ? {
            title: "You are on the list",
            lead: (
              <>
                {strong(list)} will be sent to {strong(email)}.
              </>
            ),
          }
        : {
            title: "This link has already been used",
            lead: (
              <>
                It confirmed {strong(list)} for {strong(email)}, but you have left that list since.
              </>
            ),
          };
    case "expired":
      return {
        title: "This link has expired",
        lead: (
          <>
            Confirmation links work for 30 days. Sign up for {strong(list)} again to get a new one.
          </>
        ),
      };
    case "gone":
      return {
        title: "Nothing to confirm",
        lead: "This subscription has been deleted. Nothing will be sent, and there is nothing you need to do.",
      };
  }
}

/** What a confirmation link shows; only the button confirms. */
export function ConfirmationView({
  confirmation,
  token,
}: {
  confirmation: Confirmation;
  token: string;
}) {
  const { state, project, subscribed, leftAll } = confirmation;
  const mayChoose = state === "used" && confirmation.token !== "";
  return (
    <QuietPage brand={project || undefined} {...words(confirmation)}>
      {state === "open" && (
        <LinkForm action={`/t/confirm/${token}`} label="Confirm" variant="primary" size="lg" />
      )}
      {mayChoose && (
        <div className="flex flex-col items-start gap-4">
          {subscribed && leftAll && (
            <Callout kind="warning">
              You once unsubscribed from everything {project} sends. That still applies until you
              subscribe again.
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
