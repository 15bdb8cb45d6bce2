import type { Model, ModelCampaign, ModelMail, ModelPerson } from "./state";

/* What the worker makes of campaigns and mail in the model. */

const mailsOf = (model: Model, campaign: ModelCampaign) =>
  model.mails.filter((mail) => mail.campaign === campaign);

/** Whom the campaign reaches now, of those who were there when it was started. */
function audienceOf(model: Model, campaign: ModelCampaign): ModelPerson[] {
  const { people, members } = campaign.present;
  const list = model.lists.find(({ id }) => id === campaign.listId);
  return (model.chosenFor(campaign) ?? []).filter(
    (person) =>
      people.has(person.id) &&
      (!list || members.has(model.memberOf(list, person)?.id ?? "")) &&
      model.isReachable(person),
  );
}

export function start(model: Model, campaign: ModelCampaign): void {
  campaign.status = "SENDING";
  campaign.present = {
    people: new Set(model.people.map(({ id }) => id)),
    members: new Set(model.lists.flatMap(({ members }) => members.map(({ id }) => id))),
  };
}

/** Each campaign takes the steps that are due. */
export function advanceModel(model: Model): void {
  for (const campaign of model.campaigns) {
    if (campaign.status === "SENDING" && !campaign.audienceDone) {
      campaign.audienceDone = true;
      for (const person of audienceOf(model, campaign)) {
        model.mails.push({
          id: null,
          subject: campaign.subject,
          recipient: person.email,
          contactId: person.id,
          campaign,
          status: "PENDING",
          captured: false,
        });
      }
    }
    const waiting = mailsOf(model, campaign).filter(({ status }) => status === "PENDING");
    if (campaign.status === "SENDING" && waiting.length === 0) campaign.status = "SENT";
    if (campaign.ending) {
      for (const mail of waiting) mail.status = "FAILED";
      campaign.ending = false;
    }
  }
}

/** Whether the person may still get the mail, now that it is about to leave. */
function mayGet(model: Model, { campaign, contactId, recipient }: ModelMail): boolean {
  if (model.suppressionOf(recipient)) return false;
  if (!campaign) return true;
  const person = model.withId(contactId);
  if (person?.consent !== "subscribed") return false;
  const list = model.lists.find(({ id }) => id === campaign.listId);
  return campaign.listId === null || (list !== undefined && model.isSubscribedTo(list, person));
}

/** Everything that may leave does. */
export function dispatchModel(model: Model): void {
  for (const mail of model.mails) {
    if (mail.status !== "PENDING") continue;
    if (mail.campaign && mail.campaign.status !== "SENDING") continue;
    mail.captured = mayGet(model, mail);
    mail.status = mail.captured ? "DELIVERED" : "FAILED";
  }
}

/** The figures of a campaign as the API has them. */
export function figuresOf(model: Model, campaign: ModelCampaign) {
  const mails = mailsOf(model, campaign);
  const count = (status: ModelMail["status"]) =>
    mails.filter((mail) => mail.status === status).length;
  return {
    recipients: mails.length,
    pending: count("PENDING"),
    sent: count("DELIVERED"),
    failed: count("FAILED"),
  };
}
