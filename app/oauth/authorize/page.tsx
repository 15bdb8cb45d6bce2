import type { Metadata } from "next";
import { ConsentForm } from "@/components/assistants/consent-form";
import { QuietPage } from "@/components/shell/plain-page";
import { Callout } from "@/components/ui/callout";
import { askedAuthorization } from "@/lib/doors/http/oauth/consent-page";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { dashboardSession } from "../../dashboard/session";

export function generateMetadata(): Metadata {
  return { title: t("Connect an assistant"), referrer: "no-referrer" };
}

/** Nothing leads away from here by itself: anybody may register a program and an address to return to. */
function Refused({
  reason,
  returnTo,
}: {
  reason: string;
  returnTo?: [href: string, host: string];
}) {
  return (
    <QuietPage
      title={t("This cannot be connected")}
      lead={t("Lettermill does not understand what the program asks for.")}
    >
      <Callout kind="danger">{reason}</Callout>
      {returnTo && (
        <p className="mt-4 text-sm">
          <a
            href={returnTo[0]}
            className="underline decoration-rule-strong underline-offset-4 hover:text-accent-ink"
          >
            {t("Return to {host}", { host: returnTo[1] })}
          </a>
        </p>
      )}
    </QuietPage>
  );
}

export default async function AuthorizePage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[]>>;
}) {
  const session = await dashboardSession("/dashboard");
  const read = await askedAuthorization(await searchParams);
  if ("refused" in read) return <Refused reason={read.refused} />;
  if ("fault" in read) {
    return <Refused reason={read.fault.message} returnTo={[read.returnTo, read.fault.host]} />;
  }
  const { asked, request } = read;
  const { user } = session;
  const projects = session.projects.filter(({ lacksTwoStep }) => !lacksTwoStep);
  return (
    <QuietPage
      title={t("Connect {name}?", { name: request.client.name })}
      lead={rich(
        "It asks to use Lettermill in your name, {email}. Its answer goes to {host}: allow it only if that is who you mean.",
        {
          email: user.email,
          host: <strong className="font-medium wrap-anywhere text-ink">{request.host}</strong>,
        },
      )}
      foot={t("You can end it at any time, under Assistants in the dashboard.")}
    >
      {session.onlyProject ? (
        <Callout kind="warning">
          {t(
            "You came by a link that opens one project alone. Sign in with your address to connect an assistant.",
          )}
        </Callout>
      ) : projects.length === 0 ? (
        <Callout kind="warning">
          {t("You are not a member of any project that lets you in.")}
        </Callout>
      ) : (
        <ConsentForm asked={asked} projects={projects} scopes={request.scopes} />
      )}
    </QuietPage>
  );
}
