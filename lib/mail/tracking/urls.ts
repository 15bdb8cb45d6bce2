import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import {
  addressUndoToken,
  attachmentToken,
  confirmToken,
  linkToken,
  personRequestToken,
  pixelToken,
  reportToken,
  signUpToken,
  type AttachmentLink,
  type LinkInEmail,
} from "./tokens";

/** APP_URL as it is with another host: how a domain's own host is reached. Without a trailing slash. */
export function baseUrlOf(trackingHost: string | null): string {
  const { APP_URL } = env();
  if (trackingHost === null) return APP_URL;
  const url = new URL(APP_URL);
  url.hostname = trackingHost;
  return url.href.replace(/\/+$/, "");
}

/** The addresses that a project's mail contains, under APP_URL or the host of the domain it is sent from. */
export const mailUrls = (base: string) => ({
  open: (emailId: string) => `${base}/t/o/${pixelToken(emailId)}.gif`,
  click: (link: LinkInEmail) => `${base}/t/c/${linkToken(link)}`,
  /** POST only: one-click unsubscribe (RFC 8058). */
  unsubscribe: (token: string) => `${base}/t/u/${token}`,
  /** The link that people see: a page, because a scanner may be what opens it. */
  unsubscribePage: (token: string) => `${base}/preferences/${token}?unsubscribe`,
  preferences: (token: string) => `${base}/preferences/${token}`,
  view: (token: string) => `${base}/view/${token}`,
  confirmSignUp: (signUpId: string) => `${base}/f/confirm/${signUpToken(signUpId)}`,
  personRequest: (requestId: string) => `${base}/request/${personRequestToken(requestId)}`,
  undoAddress: (requestId: string) => `${base}/request/${addressUndoToken(requestId)}`,
  confirm: (subscriberId: string, email: string) =>
    `${base}/confirm/${confirmToken(subscriberId, email)}`,
});

/** Addresses that are under APP_URL whichever domain a mail is sent from. */
export const appUrls = {
  /** Where programs fetch the files of incoming mail. */
  attachment: (link: AttachmentLink) => `${env().APP_URL}/t/a/${attachmentToken(link)}`,
  /** By its public id: a page that anybody may open. */
  form: (formId: string) => `${env().APP_URL}/f/${formId}`,
  /** Of a campaign, for whoever has the link. */
  report: (linkId: string) => `${env().APP_URL}/report/${reportToken(linkId)}`,
};

/** Where uploaded files of a project are, for everybody. */
export const filesUrl = (base: string, projectId: string) =>
  `${base}/files/${encodeId("project", projectId)}/`;

/** The HTML, with the addresses of the project's own files leading to `base`. */
export function withFilesUnder(base: string, projectId: string, html: string): string {
  const { APP_URL } = env();
  if (base === APP_URL) return html;
  return html.replaceAll(filesUrl(APP_URL, projectId), filesUrl(base, projectId));
}

/** Where a tracking host says whose it is, for checks that it leads here. */
export const hostProofPath = "/t/host";
