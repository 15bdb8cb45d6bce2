import { Letter } from "./letter";

export const campaignPausedSubject = "A campaign was paused";

/** Tells the owners of a project that the guard has paused one of its campaigns. */
export function CampaignPaused(props: {
  project: string;
  campaign: string;
  reason: string;
  waiting: number;
  url: string;
}) {
  const people = `${props.waiting.toLocaleString("en")} ${props.waiting === 1 ? "person" : "people"}`;
  return (
    <Letter
      title="A campaign was paused"
      preview={`${props.campaign} is paused: ${props.reason}`}
      text={
        <>
          The {props.project} campaign “{props.campaign}” was paused to protect your sender
          reputation. {props.reason} {people} have not received it, and nothing more goes out until
          somebody resumes it. Find out why before you do: mailbox providers block senders whose
          mail keeps bouncing or is reported as spam.
        </>
      }
      action={{ label: "View campaign", url: props.url }}
      foot="You are receiving this because you are an owner of this project."
    />
  );
}
