import { Braces, History, Palette, Send, Tags, UserCog } from "lucide-react";
import type { Metadata } from "next";
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
      <div className="mt-12">
        <Usage initial={usage} />
      </div>
      <div className="mt-12">
        <PaceSettings initial={pace} />
      </div>
      <div className="mt-12">
        <RetentionSettings initial={settings} />
      </div>
      <div className="mt-12">
        <NotificationSettings initial={notifications} />
      </div>
      {secondFactor && !signsInAtProviderOnly(session.user.email) && (
        <div className="mt-12">
          <Password initial={secondFactor} />
        </div>
      )}
      {secondFactor && (
        <div className="mt-12">
          <TwoStepSignIn initial={secondFactor} />
        </div>
      )}
      {secondFactor && passkeys && (
        <div className="mt-12">
          <PasskeyList initial={passkeys} proofs={secondFactor} />
        </div>
      )}
      {secondFactor && identities && <IdentityList initial={identities} proofs={secondFactor} />}
      <div className="mt-12">
        <TwoStepCondition initial={settings} />
      </div>
      <div className="mt-12">
        <SessionList initial={sessions} />
      </div>
      <div className="mt-12 empty:hidden">
        <ExportProject />
      </div>
      {secondFactor && (
        <div className="mt-12">
          <DeleteProject proofs={secondFactor} />
        </div>
      )}
    </>
  );
}
