import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { QuietPage } from "@/components/shell/plain-page";
import { findProjectsAway } from "@/lib/doors/http/sign-in/dashboard-session";
import { findOwnInvitations } from "@/lib/doors/http/sign-in/invitations";
import { t } from "@/lib/ground/texts/t";
import { dashboardSession } from "./session";

export function generateMetadata(): Metadata {
  return { title: t("Dashboard") };
}

export default async function DashboardPage() {
  const session = await dashboardSession("/dashboard");
  const { projects, user } = session;
  const away = await findProjectsAway();
  const first = projects.find(({ id }) => !away.has(id)) ?? projects[0];
  if (first) redirect(`/dashboard/${first.id}`);
  const [invitation] = await findOwnInvitations(session);
  if (invitation) redirect(`/dashboard/join/${invitation.id}`);
  return (
    <QuietPage
      title={t("No projects yet")}
      lead={t("{email} is not a member of any project. Ask an owner for an invitation.", {
        email: user.email,
      })}
    />
  );
}
