import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "@/components/shell/providers";
import { parseTheme, themeCookie } from "@/components/shell/theme";
import { catalogueOf } from "@/lib/ground/texts/catalogues";
import { currentLanguage, readerLocale } from "@/lib/ground/texts/t";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Lettermill", template: "%s · Lettermill" },
  description: "The email platform you run yourself.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f7f2e7" },
    { media: "(prefers-color-scheme: dark)", color: "#1a1714" },
  ],
};

// The nonce of the page's policy exists only while a request is answered.
export const dynamic = "force-dynamic";

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = parseTheme((await cookies()).get(themeCookie)?.value);
  const policy = (await headers()).get("content-security-policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  const catalogue = catalogueOf(currentLanguage());
  return (
    <html
      lang={readerLocale()}
      data-theme={theme === "system" ? undefined : theme}
      suppressHydrationWarning
    >
      {catalogue && (
        <head>
          {/* Not async: the page's own scripts need it. */}
          <script nonce={nonce} src={catalogue.scriptPath} suppressHydrationWarning />
        </head>
      )}
      <body>
        <Providers nonce={nonce}>
          <div className="isolate">{children}</div>
        </Providers>
      </body>
    </html>
  );
}
