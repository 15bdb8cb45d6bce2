"use client";

import { MenuChoice } from "@/components/ui/menu";
import {
  dashboardLanguages,
  languageCookie,
  type DashboardLanguage,
} from "@/lib/ground/texts/dashboard-languages";
import { currentLanguage, t } from "@/lib/ground/texts/t";

/** Remembers a language for a year and loads the page in it. */
function speak(language: DashboardLanguage): void {
  document.cookie = `${languageCookie}=${language}; path=/; max-age=31536000; samesite=lax`;
  location.reload();
}

/** The language of the dashboard, in the account menu. Without a choice it is the browser's. */
export function LanguageChoice() {
  return (
    <MenuChoice
      label={t("Language")}
      value={currentLanguage() as DashboardLanguage}
      options={dashboardLanguages}
      onChange={speak}
    />
  );
}
