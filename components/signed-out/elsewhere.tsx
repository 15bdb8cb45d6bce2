import { footLinkClass } from "@/components/sign-in/foot-link";
import { t } from "@/lib/ground/texts/t";

/** Leads to a page of its own: passkeys aside, the other ways to sign in lead over other sites or a mailbox. */
export function Elsewhere() {
  return (
    <a href="/sign-in?to=/sign-in/done" target="_blank" className={footLinkClass}>
      {t("Sign in another way, in a new tab")}
    </a>
  );
}
