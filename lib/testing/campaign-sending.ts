import { vi } from "vitest";
import type { TestDatabase } from "@/db/testing";
import { Dispatcher } from "@/lib/engine/sending/dispatcher";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeCampaign, seedContacts } from "./campaigns";
import { smtpTransport, useMailServers } from "./mail-servers";

/** The id of a campaign as the API has it. */
export const campaignId = (uuid: string) => encodeId("campaign", uuid);

/** Who each mail went to. */
export const recipients = (mails: { to: string[] }[]) => mails.map(({ to }) => to[0] ?? "");

/** Campaigns that are sent to mail servers of the test's own. Call at the top level. */
export function useCampaignSending(database: TestDatabase) {
  const { stops, sender, mailServer, dispatch } = useMailServers(database);

  /** A sender with `people` contacts and a draft to them. */
  async function draft(people: number, values: { listId?: string } = {}) {
    const { ctx, domain } = await sender();
    await seedContacts(database.db, ctx.projectId, people);
    const fromEmail = `news@${domain}`;
    const id = await makeCampaign(database.db, {
      projectId: ctx.projectId,
      fromEmail,
      status: "DRAFT",
      ...values,
    });
    return { ctx, id, fromEmail };
  }

  /** A mail server that answers each message when told to. */
  async function heldServer() {
    const waiting: { to: string; answer: () => void }[] = [];
    const accepted: string[] = [];
    const server = await mailServer({
      onData(stream, session, callback) {
        stream.resume();
        stream.on("end", () => {
          const to = session.envelope.rcptTo[0]?.address ?? "";
          waiting.push({
            to,
            answer: () => {
              accepted.push(to);
              callback();
            },
          });
        });
      },
    });
    const answerAll = () => {
      for (const delivery of waiting.splice(0)) delivery.answer();
    };
    return { server, waiting, accepted, answerAll };
  }

  function startDispatcher(url: string) {
    const stop = new AbortController();
    const dispatcher = new Dispatcher({ db: database.db, transport: smtpTransport(url) });
    const running = dispatcher.run(stop.signal);
    const ended = async () => {
      stop.abort();
      await running;
    };
    stops.unshift(ended);
    return { ended };
  }

  /**
   * Moves this process's clock forward until earlier claims are old: they are looked up again before they
   * leave. The clock is right again after the test.
   */
  function ageClaims(): void {
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 600);
    stops.push(() => clock.mockRestore());
  }

  return { mailServer, dispatch, draft, heldServer, startDispatcher, ageClaims };
}
