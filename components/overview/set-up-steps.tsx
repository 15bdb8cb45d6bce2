import type { ReactNode } from "react";
import { NothingLeaves } from "@/components/captured/nothing-leaves";
import { CodeBlock } from "@/components/ui/code-block";
import { withNew } from "@/components/ui/use-new-dialog";
import type { Overview } from "@/lib/domain/overview/schema";
import { t } from "@/lib/ground/texts/t";

export interface SetUpAction {
  label: string;
  /** Below the project. */
  page: string;
  least: "viewer" | "editor" | "admin";
}

export interface SetUpStep {
  title: string;
  done: boolean;
  body: ReactNode;
  /** Where it is done; the first is the usual way. */
  actions: readonly SetUpAction[];
}

/** What the steps say depends on. */
export interface SetUpPlace {
  setUp: Overview["setUp"];
  /** Mail is captured, nothing leaves the machine. */
  capturing: boolean;
  appUrl: string;
  path: (page: string) => string;
}

function curl(appUrl: string, from: string, to: string): string {
  const body = { from, to, subject: "Hello from Lettermill", body: "<h1>It works</h1>" };
  return [
    `curl ${appUrl}/v1/send \\`,
    `  -H "Authorization: Bearer $LETTERMILL_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join("\n");
}

const domainOf = ({ setUp, capturing }: SetUpPlace) =>
  setUp.verifiedDomain ?? (capturing ? "sandbox.test" : "your-domain.example");

const verifyDomain = ({ setUp: { verifiedDomain, openDomainId } }: SetUpPlace): SetUpStep => ({
  title: t("Verify your domain"),
  done: verifiedDomain !== null,
  body: t("Three DNS records prove that your mail is yours."),
  actions: [
    openDomainId === null
      ? { label: t("Add a domain"), page: withNew("domains"), least: "admin" }
      : { label: t("Check the records"), page: `domains/${openDomainId}`, least: "viewer" },
  ],
});

const realSend = (title: string, place: SetUpPlace, actions: SetUpStep["actions"]): SetUpStep => ({
  title,
  done: place.setUp.realSend,
  body: place.capturing ? (
    <NothingLeaves />
  ) : (
    t("Send from an address at {domain}. This checklist then disappears.", {
      domain: domainOf(place),
    })
  ),
  actions,
});

/** From nobody to a campaign that has left. */
export function campaignSteps(place: SetUpPlace): SetUpStep[] {
  const { contacts, campaignId, campaignTest } = place.setUp;
  const open: SetUpAction[] =
    campaignId === null
      ? []
      : [{ label: t("Open the campaign"), page: `campaigns/${campaignId}`, least: "viewer" }];
  return [
    {
      title: t("Add your people"),
      done: contacts,
      body: t("Bring them from a file or another product, or begin with one."),
      actions: [
        { label: t("Import contacts"), page: "contacts/import", least: "editor" },
        { label: t("Add a contact"), page: withNew("contacts"), least: "editor" },
      ],
    },
    verifyDomain(place),
    {
      title: t("Write a first campaign"),
      done: campaignId !== null,
      body: t("Begin with a design from the gallery and make it yours."),
      actions: [{ label: t("Create a campaign"), page: withNew("campaigns"), least: "editor" }],
    },
    {
      title: t("Send yourself a test"),
      done: campaignTest,
      body: t("Read it where your readers will: in your own inbox, on your phone."),
      actions: open,
    },
    realSend(t("Send the campaign"), place, open),
  ];
}

/** From no key to mail that a program has sent. */
export function applicationSteps(place: SetUpPlace): SetUpStep[] {
  const { appUrl, capturing, setUp } = place;
  const domain = domainOf(place);
  return [
    {
      title: t("Create an API key"),
      done: setUp.apiKey,
      body: t("Programs sign in with a key. Copy it: it is shown only once."),
      actions: [{ label: t("Create an API key"), page: withNew("api-keys"), least: "admin" }],
    },
    {
      title: t("Send your first email"),
      done: setUp.firstEmailId !== null,
      body: (
        <div className="flex flex-col gap-2">
          <p>
            {capturing
              ? t("With your own key. Mail is captured here, so nobody outside receives it.")
              : t("Run this with your own key and domain.")}
          </p>
          <CodeBlock
            label={t("curl command")}
            code={curl(
              appUrl,
              `hello@${domain}`,
              capturing ? "ada@example.com" : "you@example.com",
            )}
          />
        </div>
      ),
      actions: [],
    },
    verifyDomain(place),
    realSend(t("Send from your domain"), place, []),
  ];
}
