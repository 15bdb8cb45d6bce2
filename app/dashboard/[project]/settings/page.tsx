import { Braces, History, Palette, Send, Tags, UserCog } from "lucide-react";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { DeleteProject } from "@/components/settings/delete-project";
import { ExportProject } from "@/components/settings/export-project";
import { IdentityList } from "@/components/settings/identity-list";
import { NotificationSettings } from "@/components/settings/notification-settings";
import { Password } from "@/components/settings/password";
import { PasskeyList } from "@/components/settings/passkey-list";
import { ProjectSettings } from "@/components/settings/project-settings";
import { PaceSettings } from "@/components/settings/pace-settings";
import { RetentionSettings } from "@/components/settings/retention-settings";
import { SessionList } from "@/components/settings/session-list";
import { TwoStepCondition } from "@/components/settings/two-step-condition";
import { TwoStepSignIn } from "@/components/settings/two-step-sign-in";
import { Usage } from "@/components/settings/usage";
import { LinkButton } from "@/components/ui/button";
import { Island } from "@/components/ui/island";
import { PageHeader } from "@/components/ui/page-header";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { getUsage } from "@/lib/domain/projects/usage";
import { getCampaignPace } from "@/lib/domain/sending-state/pace";
import { getTeamLetterChoices } from "@/lib/domain/team-letters/choices";
import { listIdentities } from "@/lib/domain/users/identities";
import { signsInAtProviderOnly } from "@/lib/domain/users/own-ways";
import { listPasskeys } from "@/lib/domain/users/passkeys";
import { getSecondFactor } from "@/lib/domain/users/second-factor";
import { listSessions } from "@/lib/domain/users/sessions";
import { t } from "@/lib/ground/texts/t";
import { openProject } from "../../session";

export function generateMetadata(): Metadata {
  return { title: t("Settings") };
}

/** Nothing around it where the reader may not see it. */
function Part({ children }: { children: ReactNode }) {
  return (
    <div className="mt-12 empty:hidden">
      <Island>{children}</Island>
    </div>
  );
}

export default async function SettingsPage({ params }: { params: Promise<{ project: string }> }) {
  const { session, project, context } = await openProject((await params).project);
  const [settings, usage, pace, notifications, sessions, secondFactor, passkeys, identities] =
    await Promise.all([
      getProjectSettings(context),
      getUsage(context),
      getCampaignPace(context),
      getTeamLetterChoices(context),
      listSessions(context),
      // A session for a single project does not represent the person.
      session.onlyProject ? null : getSecondFactor(context),
      session.onlyProject ? null : listPasskeys(context),
      session.onlyProject ? null : listIdentities(context),
    ]);
  return (
    <>
      <PageHeader
        title={t("Settings")}
        description={t("The project’s name, and who its mail is from.")}
        actions={
          <>
            <LinkButton href={`/dashboard/${project.id}/settings/members`}>
              <UserCog aria-hidden /> {t("Members")}
            </LinkButton>
            <LinkButton href={`/dashboard/${project.id}/settings/brand`}>
              <Palette aria-hidden /> {t("Brand")}
            </LinkButton>
            <LinkButton href={`/dashboard/${project.id}/settings/topics`}>
              <Tags aria-hidden /> {t("Topics")}
            </LinkButton>
            <LinkButton href={`/dashboard/${project.id}/settings/fields`}>
              <Braces aria-hidden /> {t("Fields and tags")}
            </LinkButton>
            <LinkButton href={`/dashboard/${project.id}/settings/connections`}>
              <Send aria-hidden /> {t("Sending connections")}
            </LinkButton>
            {(project.role === "admin" || project.role === "owner") && (
              <LinkButton href={`/dashboard/${project.id}/settings/audit`}>
                <History aria-hidden /> {t("Audit log")}
              </LinkButton>
            )}
          </>
        }
      />
      <ProjectSettings initial={settings} />
      <Part>
        <Usage initial={usage} />
      </Part>
      <Part>
        <PaceSettings initial={pace} />
      </Part>
      <Part>
        <RetentionSettings initial={settings} />
      </Part>
      <Part>
        <NotificationSettings initial={notifications} />
      </Part>
      {secondFactor && !signsInAtProviderOnly(session.user.email) && (
        <Part>
          <Password initial={secondFactor} />
        </Part>
      )}
      {secondFactor && (
        <Part>
          <TwoStepSignIn initial={secondFactor} />
        </Part>
      )}
      {secondFactor && passkeys && (
        <Part>
          <PasskeyList initial={passkeys} proofs={secondFactor} />
        </Part>
      )}
      {secondFactor && identities && (
        <Part>
          <IdentityList initial={identities} proofs={secondFactor} />
        </Part>
      )}
      <Part>
        <TwoStepCondition initial={settings} />
      </Part>
      <Part>
        <SessionList initial={sessions} />
      </Part>
      <Part>
        <ExportProject />
      </Part>
      {secondFactor && (
        <Part>
          <DeleteProject proofs={secondFactor} />
        </Part>
      )}
    </>
  );
}
