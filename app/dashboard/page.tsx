import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { QuietPage } from "@/components/shell/plain-page";
import { dashboardSession } from "./session";

export const metadata: Metadata = { title: "Dashboard" };

export default async function DashboardPage() {
  const { projects, user } = await dashboardSession("/dashboard");
  const [first] = projects;
  if (first) redirect(`/dashboard/${first.id}`);
  return (
    <QuietPage
      title="No projects yet"
      lead={`${user.email} is not a member of any project. Ask an owner for an invitation.`}
    />
  );
}
