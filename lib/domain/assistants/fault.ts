/** The error codes of RFC 6749 (4.1.2.1, 5.2), RFC 7591 (3.2.2) and RFC 8707 (2) that we answer with. */
export type OAuthFaultCode =
  | "access_denied"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_grant"
  | "invalid_redirect_uri"
  | "invalid_request"
  | "invalid_target"
  | "unsupported_grant_type"
  | "unsupported_response_type";

/** What is wrong with a step of an authorization, for whoever wrote the client. */
export class OAuthFault extends Error {
  // Next bundles modules more than once, so instanceof is unreliable across chunks.
  readonly isOAuthFault = true;

  constructor(
    readonly code: OAuthFaultCode,
    message: string,
  ) {
    super(message);
    this.name = "OAuthFault";
  }
}

export function isOAuthFault(error: unknown): error is OAuthFault {
  return typeof error === "object" && error !== null && "isOAuthFault" in error;
}
