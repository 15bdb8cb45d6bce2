/** The languages of the dashboard, by their own names: English, and a folder in dashboard/ for each other. */
export const dashboardLanguages = [
  { value: "en", label: "English" },
  { value: "de", label: "Deutsch" },
] as const;
export type DashboardLanguage = (typeof dashboardLanguages)[number]["value"];

/** The cookie with the language that somebody chose. */
export const languageCookie = "language";
