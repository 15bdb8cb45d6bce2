import { and, eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import type { teamLetters } from "@/db/schema";
import { campaigns } from "@/db/schema";
import { readFigures } from "@/lib/domain/campaigns/stats";
import type { TeamLetter } from "@/lib/domain/team-letters/mail";
import { encodeId } from "@/lib/ground/ids/ids";
import type { TextKey, Texts } from "@/lib/ground/texts/texts";
import { readWeek, weekFigures, type Week } from "./week";

type NotedLetter = typeof teamLetters.$inferSelect;
type Compose = (project: string, texts: Texts) => TeamLetter;

async function campaignSent(db: Database, { projectId, data }: NotedLetter) {
  const [campaign] = await db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.projectId, projectId), eq(campaigns.id, data.subjectId ?? "")));
  if (!campaign) return null;
  const { recipients, sent, bounced, failed, pending } = (
    await readFigures(db, projectId, [campaign])
  )(campaign.id);
  const { name } = campaign;
  const compose: Compose = (project, { text }) => ({
    subject: text("mail.sent.subject", { campaign: name }),
    preview: text("mail.sent.preview", { recipients }),
    text: text("mail.sent.text", {
      ...{ project, campaign: name, recipients },
      ...{ sent, pending, bounced, failed },
    }),
    action: {
      label: text("mail.sent.button"),
      page: `/campaigns/${encodeId("campaign", campaign.id)}`,
    },
  });
  return compose;
}

const campaignStopped =
  ({ data }: NotedLetter): Compose =>
  (project, { text }) => {
    const campaign = data.name ?? "";
    const reason = data.reason ?? "";
    return {
      subject: text("mail.stopped.subject", { campaign }),
      preview: reason,
      text: text("mail.stopped.text", { project, campaign, reason }),
      action: {
        label: text("mail.paused.button"),
        page: `/campaigns/${encodeId("campaign", data.subjectId ?? "")}`,
      },
    };
  };

const domainFailed =
  ({ data }: NotedLetter): Compose =>
  (project, { text }) => {
    const domain = data.name ?? "";
    return {
      subject: text("mail.domain.subject", { domain }),
      preview: text("mail.domain.preview", { domain }),
      text: text("mail.domain.text", { project, domain }),
      action: {
        label: text("mail.domain.button"),
        page: `/domains/${encodeId("domain", data.subjectId ?? "")}`,
      },
    };
  };

const mailReplaced =
  ({ data }: NotedLetter): Compose =>
  (project, { text }) => {
    const { name = "", reason = "", subjectId = "" } = data;
    const of = { project, name, reason };
    return {
      subject: text("mail.replaced.subject", { name }),
      preview: reason,
      text: text(
        data.mail === "welcome" ? "mail.replaced.text.welcome" : "mail.replaced.text.confirmation",
        of,
      ),
      action: {
        label: text("mail.replaced.button"),
        page:
          data.subject === "form"
            ? `/forms/${encodeId("form", subjectId)}/edit`
            : `/lists/${encodeId("list", subjectId)}/settings`,
      },
    };
  };

const workFailed =
  ({ data }: NotedLetter): Compose =>
  (project, { text }) => {
    const reason = data.reason ?? "";
    if (data.subject !== "import") {
      return {
        subject: text("mail.change.subject"),
        preview: reason,
        text: text("mail.change.text", { project, reason }),
        action: { label: text("mail.change.button"), page: "/contacts" },
      };
    }
    return {
      subject: text("mail.import.subject"),
      preview: reason,
      text: text("mail.import.text", { project, file: data.name || "CSV", reason }),
      action: {
        label: text("mail.import.button"),
        page: `/contacts/imports/${encodeId("import", data.subjectId ?? "")}`,
      },
    };
  };

const weeklySummary =
  ({ from, to, figures }: Week): Compose =>
  (project, { text, date }) => {
    const days = { from: date(from), to: date(to) };
    return {
      subject: text("mail.week.subject", { project }),
      preview: text("mail.week.preview", days),
      text: (
        <>
          {text("mail.week.text", { project, ...days })}
          {weekFigures.map((figure) => (
            <span key={figure}>
              <br />
              {text(`mail.week.${figure}` satisfies TextKey, figures[figure])}
            </span>
          ))}
        </>
      ),
      action: { label: text("mail.week.button"), page: "" },
    };
  };

/** What a letter says; null: nothing, as its subject is gone or there is nothing to say. */
export async function composeTeamLetter(
  db: Database,
  letter: NotedLetter,
): Promise<Compose | null> {
  switch (letter.kind) {
    case "campaignSent":
      return campaignSent(db, letter);
    case "campaignStopped":
      return campaignStopped(letter);
    case "domainFailed":
      return domainFailed(letter);
    case "mailReplaced":
      return mailReplaced(letter);
    case "workFailed":
      return workFailed(letter);
    case "weeklySummary": {
      const week = await readWeek(db, letter.projectId, letter.key ?? "");
      return week && weeklySummary(week);
    }
    // Mailed by those who find out, at once.
    case "sendingHeld":
    case "webhookDisabled":
      return null;
  }
}
