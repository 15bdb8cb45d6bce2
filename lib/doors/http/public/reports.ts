import type { Context, Hono } from "hono";
import { database } from "@/db/client";
import { openReport } from "@/lib/domain/campaign-reports/links";
import { getCampaignReport, type CampaignReport } from "@/lib/domain/campaign-reports/report";
import { isAppError } from "@/lib/ground/errors";
import { callerSubject, takeFromRate } from "@/lib/ground/rate-limit";
import { framedMail, framedMailPolicy } from "./mail-document";
import { answerMessage } from "./pages/message";
import { answerReport } from "./pages/report";
import { unknownLink, visitOf, type Env } from "./recipient-form";

/** A page and its frames, again and again; for guesses it is nothing. */
const mostRequests = { limit: 120, windowSeconds: 60 };

type Opened = { report: CampaignReport } | { refusal: Response };

/** What the link's token opens, or the page that says why it opens nothing. */
async function open(c: Context<Env>, { counted }: { counted: boolean }): Promise<Opened> {
  const subject = callerSubject("report", visitOf(c).ipAddress);
  const rate = await takeFromRate(database(), { subject, ...mostRequests });
  if (!rate.allowed) {
    c.header("retry-after", String(rate.retryAfterSeconds));
    return { refusal: await answerMessage(c, "page.busy", { status: 429 }) };
  }
  const opened = await openReport(database(), c.req.param("token") ?? "", { counted });
  if (opened === "unknown") return { refusal: await unknownLink(c) };
  try {
    if (opened !== "ended") return { report: await getCampaignReport(database(), opened) };
  } catch (error) {
    if (!isAppError(error) || error.code !== "NOT_FOUND") throw error;
  }
  return { refusal: await answerMessage(c, "report.ended", { status: 410 }) };
}

/** Reports of campaigns, for whoever has a link to them. Nothing in them is about any one recipient. */
export function addReportRoutes(routes: Hono<Env>): void {
  routes.get("/report/:token", async (c) => {
    const opened = await open(c, { counted: c.req.method !== "HEAD" });
    if ("refusal" in opened) return opened.refusal;
    return answerReport(c, opened.report, c.req.param("token"));
  });
  routes.get("/report/:token/mail/:variant", async (c) => {
    const opened = await open(c, { counted: false });
    if ("refusal" in opened) return opened.refusal;
    const { mails, brand } = opened.report;
    const mail = mails.find(({ variant }) => variant === c.req.param("variant"));
    if (!mail || (mail.html === null && mail.text === null)) {
      return answerMessage(c, "view.nothing", { status: 404 });
    }
    c.header("content-security-policy", framedMailPolicy);
    return c.html(framedMail({ ...mail, language: brand.language }));
  });
}
