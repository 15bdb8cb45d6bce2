"use client";

import { CircleCheck, Hourglass } from "lucide-react";
import { Link } from "@/components/ui/link";
import { count } from "@/components/ui/numbers";
import { messageOf } from "@/components/api/faults";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { useAction } from "@/components/form/use-action";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { PageHeader, Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Status } from "@/components/ui/status";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import type { ConnectionList } from "@/lib/domain/connections/schema";
import type { SendingState } from "@/lib/domain/sending-state/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { TroubledConnections } from "./troubled-connections";
import { emailsWord, waitingWords } from "./waiting-words";
import { wayWords } from "./way-words";

/** Whether the project's mail leaves; what keeps it from leaving, and the button that lets it go on. */
export function SendingView({
  initial,
  connections,
}: {
  initial: SendingState;
  connections: ConnectionList;
}) {
  const reading = useRead("GET /v1/sending", {}, { initial, every: 10_000 });
  const own = useRead("GET /v1/connections", {}, { initial: connections, every: 10_000 });
  const state = reading.data;
  const troubledConnections = own.data.data.filter((one) => one.state.name !== "working");
  const standard = own.data.data.find(({ id }) => id === state.way.connectionId);
  const troubled = state.waiting !== null || troubledConnections.length > 0;
  return (
    <>
      <PageHeader
        title={t("Sending")}
        description={t(
          "Whether the mail server and the receivers behind it take your mail, and what waits until they do.",
        )}
        meta={
          troubled ? (
            <Status tone="warning" icon={Hourglass}>
              {state.waiting ? waitingWords(state.waiting) : t("Some of your mail may be waiting")}
            </Status>
          ) : (
            <Status tone="success" icon={CircleCheck}>
              {t("Mail leaves as it comes in")}
            </Status>
          )
        }
      />
      <div className="mb-7 flex flex-col gap-5 empty:hidden">
        <NotUpToDate of={reading.error === null ? own : reading} />
        {state.hold && <Hold hold={state.hold} waiting={state.waiting} />}
        <MailServer mailServer={state.mailServer} />
      </div>
      {troubledConnections.length > 0 && <TroubledConnections connections={troubledConnections} />}
      {state.senders.length > 0 && <Senders senders={state.senders} />}
      {state.receivers.length > 0 && <Receivers receivers={state.receivers} />}
      {!troubled && (
        <p className="max-w-2xl text-sm text-soft">
          {wayWords(state.way, standard?.name ?? null)}{" "}
          {t(
            "Nothing keeps mail from leaving. When a mail server refuses your sender, asks for less mail or cannot be reached, this page says so in the server’s words, and shows what waits.",
          )}
        </p>
      )}
    </>
  );
}

function Hold({
  hold,
  waiting,
}: {
  hold: NonNullable<SendingState["hold"]>;
  waiting: SendingState["waiting"];
}) {
  const api = useApi();
  const may = useMay("admin");
  const release = useAction({
    mutationFn: () => api("POST /v1/sending/go-on", {}),
    onSuccess: () => toast.success(t("Mail goes on")),
    onError: (error) => toast.error(t("Mail is still held"), { description: messageOf(error) }),
  });
  if (hold.reason === "asked") {
    return (
      <Callout kind="warning" title={t("Mail is held by the operator of this installation")}>
        {rich("Since {when}. Mail sent in the meantime waits and goes out afterwards.", {
          when: <RelativeTime value={hold.since} />,
        })}
      </Callout>
    );
  }
  return (
    <Callout kind="danger" title={t("Mail is held: the database was restored from a backup")}>
      <p>
        {rich(
          "Noticed {when}. What waits may already have been sent after the backup was made, and continuing would send it a second time. Cancel what must not go out twice, for instance in the log of emails or on the page of a campaign.",
          { when: <RelativeTime value={hold.since} /> },
        )}{" "}
        {waitingWords(waiting)}
      </p>
      {may && (
        <p className="mt-3">
          <Button
            variant="primary"
            size="sm"
            pending={release.isPending}
            onClick={() => release.mutate()}
          >
            {t("Let mail go on")}
          </Button>
        </p>
      )}
    </Callout>
  );
}

function MailServer({ mailServer }: Pick<SendingState, "mailServer">) {
  if (!mailServer) return null;
  const { state, words, since, perMinute } = mailServer;
  const when = <RelativeTime value={since} />;
  return state === "unavailable" ? (
    <Callout kind="danger" title={t("The mail server takes no mail")}>
      <p>
        {rich(
          "Since {when}; it is tried again every few seconds, and what waits goes out as soon as it answers. If it refuses the login, whoever runs this installation has to correct MAIL_TRANSPORT or its key.",
          { when },
        )}
      </p>
      <Words words={words} />
    </Callout>
  ) : (
    <Callout kind="warning" title={t("The mail server asked for less mail")}>
      <p>
        {perMinute === null
          ? rich(
              "Since {when}. It is given less mail, and more as soon as it accepts that; the rest waits.",
              { when },
            )
          : rich(
              "Since {when}. It is given about {perMinute, plural, one {# email} other {# emails}} a minute, and more as soon as it accepts that; the rest waits.",
              { when, perMinute },
            )}
      </p>
      <Words words={words} />
    </Callout>
  );
}

function Words({ words }: { words: string }) {
  return <p className="mt-2 font-mono text-xs wrap-anywhere">{words}</p>;
}

function Senders({ senders }: Pick<SendingState, "senders">) {
  const path = useProjectPath();
  return (
    <Section
      title={t("Senders that are refused")}
      description={t(
        "The mail server refuses them, whoever the mail is for. One email a minute is tried; the first that is accepted lets all of it go.",
      )}
    >
      <ul>
        {senders.map((sender) => (
          <li
            key={sender.domain}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b py-4 last:border-b-0"
          >
            <div className="min-w-0">
              <p>
                <Link
                  href={path(`domains/${sender.domain}`)}
                  className="font-medium wrap-anywhere hover:text-accent-ink"
                >
                  {sender.name}
                </Link>
              </p>
              <Words words={sender.words} />
              <p className="mt-2 text-sm text-soft">
                {rich("Since {when}, {waiting} waiting", {
                  when: <RelativeTime value={sender.since} />,
                  waiting: emailsWord(sender.waiting),
                })}
              </p>
            </div>
            <Resume domain={sender.domain} name={sender.name} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Resume({ domain, name }: { domain: string; name: string }) {
  const api = useApi();
  const may = useMay("admin");
  const resume = useAction({
    mutationFn: () => api("POST /v1/domains/{id}/resume", { params: { id: domain } }),
    onSuccess: () => toast.success(t("Mail from {name} is tried again", { name })),
    onError: (error) =>
      toast.error(t("Mail from {name} still waits", { name }), { description: messageOf(error) }),
  });
  if (!may) return null;
  return (
    <Button size="sm" pending={resume.isPending} onClick={() => resume.mutate()}>
      {t("Send again")}
    </Button>
  );
}

function Receivers({ receivers }: Pick<SendingState, "receivers">) {
  return (
    <Section
      title={t("Receivers that asked for less")}
      description={t(
        "Mail for them is waiting its turn and is not lost; they get more as soon as they accept it.",
      )}
    >
      <Table label={t("Receivers that asked for less")}>
        <TableHead>
          <HeaderCell>{t("Receiver")}</HeaderCell>
          <HeaderCell>{t("Emails a minute")}</HeaderCell>
          <HeaderCell>{t("Since")}</HeaderCell>
        </TableHead>
        <tbody>
          {receivers.map(({ receiver, perMinute, since }) => (
            <Row key={receiver}>
              <Cell>{receiver}</Cell>
              <Cell className="tabular-nums">{count(perMinute)}</Cell>
              <Cell className="text-soft">
                <RelativeTime value={since} />
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
