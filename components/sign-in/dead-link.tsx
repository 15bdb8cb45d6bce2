import { QuietPage } from "@/components/shell/quiet-page";
import { LinkButton } from "@/components/ui/button";

/** What a link's page says when the link can no longer be used. */
export function DeadLink() {
  return (
    <QuietPage
      title="This link has done its work"
      lead="It was used already or has expired. Links from our mails work once and not for long."
    >
      <div className="flex flex-wrap gap-2">
        <LinkButton href="/sign-in" variant="primary">
          Sign in
        </LinkButton>
        <LinkButton href="/sign-in/forgot">Ask for a new one</LinkButton>
      </div>
    </QuietPage>
  );
}
