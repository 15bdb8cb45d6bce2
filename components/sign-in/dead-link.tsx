import { QuietPage } from "@/components/shell/plain-page";
import { LinkButton } from "@/components/ui/button";
import { t } from "@/lib/ground/texts/t";

/** What a link's page says when the link can no longer be used. */
export function DeadLink() {
  return (
    <QuietPage
      title={t("This link no longer works")}
      lead={t(
        "It has already been used or has expired. The links we mail work once, and only for a short time.",
      )}
    >
      <div className="flex flex-wrap gap-2">
        <LinkButton href="/sign-in" variant="primary">
          {t("Sign in")}
        </LinkButton>
        <LinkButton href="/sign-in/forgot">{t("Request a new one")}</LinkButton>
      </div>
    </QuietPage>
  );
}
