"use client";

import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { DeleteThing } from "@/components/shell/delete-button";
import { buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyableCode } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { SubPages } from "@/components/ui/sub-pages";
import type { Form } from "@/lib/domain/forms/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { FormStatus } from "./form-status";

/** The form as it is now. */
export const useForm = (initial: Form) =>
  useRead("GET /v1/forms/{id}", { params: { id: initial.id } }, { initial, every: 30_000 });

/** What all pages of a form begin with: its name and state, and links to the other pages. */
export function FormHeader({
  initial,
  canSend,
  actions,
}: {
  initial: Form;
  /** Whether the project has a verified domain. */
  canSend: boolean;
  actions?: ReactNode;
}) {
  const reading = useForm(initial);
  const form = reading.data;
  const path = useProjectPath();
  const api = useApi();
  const may = useMay("editor");
  return (
    <>
      <PageHeader
        title={form.name}
        back={{ href: path("forms"), label: t("Forms") }}
        meta={
          <>
            <FormStatus form={form} />
            <CopyableCode text={form.id} what={t("form id")} />
          </>
        }
        actions={
          <>
            {may && (
              <DeleteThing
                kind="form"
                name={form.name}
                list="forms"
                remove={() => api("DELETE /v1/forms/{id}", { params: { id: form.id } })}
              >
                {t(
                  "Its link and every copy on your pages stop working: visitors read that there is no such form. Its figures are deleted, and emails that still ask to confirm lead nowhere. Who has signed up stays. To keep the figures, close the form instead.",
                )}
              </DeleteThing>
            )}
            <a href={form.url} target="_blank" rel="noreferrer" className={buttonClass()}>
              <ExternalLink aria-hidden /> {t("Open the page")}
            </a>
            {actions}
          </>
        }
      />
      <NotUpToDate of={reading} />
      {!canSend && (
        <div className="mb-6">
          <Callout kind="warning" title={t("Nobody can sign up yet")}>
            {rich(
              "No domain of this project is verified, so the email that asks to confirm cannot be sent. Visitors are told to try again later. <link>Verify a domain</link>",
              {
                link: (words) => (
                  <Link href={path("domains")} className="font-medium underline underline-offset-2">
                    {words}
                  </Link>
                ),
              },
            )}
          </Callout>
        </div>
      )}
      <SubPages
        label={t("Pages of the form")}
        pages={[
          { href: path(`forms/${form.id}`), label: t("Results") },
          { href: path(`forms/${form.id}/share`), label: t("Put it on your page") },
          { href: path(`forms/${form.id}/edit`), label: may ? t("Edit") : t("Settings") },
        ]}
      />
    </>
  );
}
