/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import type { FC, PropsWithChildren } from "hono/jsx";
import type { CampaignStatus } from "@/db/enums";
import type { CampaignReport, ShownMail } from "@/lib/domain/campaign-reports/report";
import { fewestPeople } from "@/lib/domain/campaign-reports/small-groups";
import { amount, finePercent, percent } from "@/lib/ground/amount";
import { env } from "@/lib/ground/env/env";
import { dateFormat } from "@/lib/ground/texts/formats";
import { currentLanguage, phrases, t } from "@/lib/ground/texts/t";
import { textsFor } from "@/lib/ground/texts/texts";
import { answerPage } from "./frame";
import { ReportChart } from "./report-chart";
import { baseOf, ReportFigures } from "./report-figures";
import { reportRules } from "./report-style";

/* A campaign's report is a page of the dashboard for people without an account, and in its language. */

const states: Record<CampaignStatus, string> = phrases({
  DRAFT: "Not sent yet",
  SCHEDULED: "Scheduled",
  SENDING: "Being sent",
  PAUSED: "Paused",
  SENT: "Sent",
  CANCELLED: "Cancelled",
  FAILED: "Stopped",
});

function timesIn(timeZone: string) {
  const format = dateFormat({ dateStyle: "long", timeStyle: "short", timeZone });
  return (at: string) => `${format.format(new Date(at))} (${timeZone})`;
}

const Table: FC<PropsWithChildren<{ label: string; columns: readonly string[] }>> = ({
  label,
  columns,
  children,
}) => (
  <div class="scroll" tabindex={0} role="group" aria-label={label}>
    <table>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th scope="col" {...(index > 0 ? { class: "number" } : {})}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

const Numbers: FC<{ values: readonly string[] }> = ({ values }) => (
  <>
    {values.map((value) => (
      <td class="number">{value}</td>
    ))}
  </>
);

const Links: FC<{ report: CampaignReport }> = ({ report: { links, figures } }) => (
  <section>
    <h2>{t("Links")}</h2>
    <p class="soft">
      {t(
        "As they are written in the mail: what was put in for each reader is left out. People count once for each address.",
      )}
    </p>
    <Table
      label={t("Links")}
      columns={[t("Address"), t("People"), t("Of those who clicked"), t("Clicks")]}
    >
      {links.map(({ address, people, clicks }) => (
        <tr>
          <th scope="row">{address ?? t("Other addresses, made for each reader")}</th>
          <Numbers
            values={[
              amount(people),
              figures.clicked === 0 ? "–" : percent(Math.min(1, people / figures.clicked)),
              amount(clicks),
            ]}
          />
        </tr>
      ))}
    </Table>
  </section>
);

/** What is only nearly certain is not shown as certain. */
const oddsWords = (share: number) =>
  share > 0.999 ? `> ${percent(0.999)}` : share < 0.001 ? `< ${percent(0.001)}` : percent(share);

const AbTest: FC<{ test: NonNullable<CampaignReport["abTest"]> }> = ({ test }) => (
  <section>
    <h2>{t("A/B test")}</h2>
    <p class="soft">
      {t(
        "{explanation} Figures of the {people} people in the test; rates are shares of what was sent and did not bounce.",
        { explanation: test.explanation, people: amount(test.testRecipients) },
      )}
    </p>
    <Table
      label={t("A/B test")}
      columns={[t("Variant"), t("People"), t("Opened"), t("Clicked"), t("Probably best")]}
    >
      {test.variants.map((variant) => (
        <tr {...(variant.variant === test.winner ? { class: "won" } : {})}>
          <th scope="row">
            {variant.variant === test.winner
              ? t("{variant}: {subject} (chosen)", {
                  variant: variant.variant,
                  subject: variant.subject,
                })
              : `${variant.variant}: ${variant.subject}`}
          </th>
          <Numbers
            values={[
              amount(variant.recipients),
              percent(variant.openRate),
              percent(variant.clickRate),
              variant.sent === 0 ? "–" : oddsWords(variant.probabilityToBeBest),
            ]}
          />
        </tr>
      ))}
    </Table>
  </section>
);

const Providers: FC<{ report: CampaignReport }> = ({ report: { providers, figures } }) =>
  providers === null ? (
    <section>
      <h2>{t("By receiving provider")}</h2>
      <p class="soft">{t("These figures cannot be shown at the moment.")}</p>
    </section>
  ) : providers.length === 0 ? null : (
    <section>
      <h2>{t("By receiving provider")}</h2>
      <p class="soft">
        {t(
          "Opens and clicks are shares of {base, select, delivered {delivered} other {accepted}}, bounces of sent. Providers with fewer than {fewest} recipients are among the others.",
          { base: baseOf(figures), fewest: fewestPeople },
        )}
      </p>
      <Table
        label={t("By receiving provider")}
        columns={[t("Provider"), t("Recipients"), t("Opened"), t("Clicked"), t("Bounced")]}
      >
        {providers.map((row) => {
          const share = (rate: string) => (row.sent === 0 ? "–" : rate);
          return (
            <tr>
              <th scope="row">{row.name ?? t("All others")}</th>
              <Numbers
                values={[
                  amount(row.recipients),
                  share(percent(row.openRate)),
                  share(percent(row.clickRate)),
                  share(finePercent(row.bounceRate)),
                ]}
              />
            </tr>
          );
        })}
      </Table>
    </section>
  );

const Mail: FC<{ mail: ShownMail; token: string; several: boolean }> = ({
  mail,
  token,
  several,
}) => {
  const frame =
    mail.html === null && mail.text === null ? (
      <p class="soft">{t("It cannot be shown without somebody’s data.")}</p>
    ) : (
      <iframe
        src={`/report/${token}/mail/${mail.variant}`}
        title={
          several ? t("The mail, variant {variant}", { variant: mail.variant }) : t("The mail")
        }
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        loading={mail.variant === "A" ? "eager" : "lazy"}
      ></iframe>
    );
  if (!several) return frame;
  return (
    <details open={mail.variant === "A"}>
      <summary>
        {t("Variant {variant}: {subject}", { variant: mail.variant, subject: mail.subject })}
      </summary>
      {frame}
    </details>
  );
};

/** Answers with the report behind a link; `token` is the link's. */
export function answerReport(
  c: Context,
  report: CampaignReport,
  token: string,
): Response | Promise<Response> {
  const { brand, name, status, test, startedAt, finishedAt, timeZone, mails } = report;
  const time = timesIn(timeZone);
  const [mail] = mails;
  const facts = [
    [t("Subject"), mail?.subject],
    [t("Preview text"), mail?.previewText],
    [t("From"), mail?.fromName],
    [t("Began"), startedAt && time(startedAt)],
    [t("Ended"), finishedAt && time(finishedAt)],
    [t("Figures as of"), time(report.readAt)],
  ].filter(([, value]) => value);
  const unreceived = test
    ? t("It was sent as a test: nobody has received it.")
    : startedAt !== null && env().MAIL_TRANSPORT === "capture"
      ? t("Mail is kept at the sender’s for now: nobody outside has received it.")
      : null;
  const isRead = report.activity.buckets.some(({ opened, clicked }) => opened > 0 || clicked > 0);
  return answerPage(
    c,
    {
      visitor: { texts: textsFor(currentLanguage()), chosen: null, path: null },
      brand: { ...brand, postalAddress: "" },
      title: name,
      lead: t("Report of an email campaign. {state}.", { state: states[status] }),
      rules: reportRules,
      children: (
        <>
          <dl class="facts">
            {facts.map(([label, value]) => (
              <>
                <dt>{label}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </>
            ))}
          </dl>
          {unreceived && <div class="notice warning">{unreceived}</div>}
          <section>
            <h2>{t("Results")}</h2>
            {startedAt === null ? (
              <p class="soft">{t("It has not been sent yet. Its figures will be here.")}</p>
            ) : (
              <ReportFigures report={report} />
            )}
          </section>
          {startedAt !== null && (
            <section>
              <h2>{t("Opens and clicks over time")}</h2>
              {isRead ? (
                <ReportChart activity={report.activity} timeZone={timeZone} />
              ) : (
                <p class="soft">{t("Nobody has opened it yet.")}</p>
              )}
            </section>
          )}
          {report.abTest && <AbTest test={report.abTest} />}
          {report.links.length > 0 && <Links report={report} />}
          <Providers report={report} />
          <section>
            <h2>{t("The mail")}</h2>
            <p class="soft">
              {t(
                "As somebody would get it of whom nothing is known. Looking at it counts as no open.",
              )}
            </p>
            {mails.map((one) => (
              <Mail mail={one} token={token} several={mails.length > 1} />
            ))}
          </section>
        </>
      ),
    },
    { frames: true },
  );
}
