import {
  getOAuthProtectedResourceMetadataUrl,
  oauthMetadataResponse,
  type OAuthMetadata,
} from "@modelcontextprotocol/server";
import { assistantScopes } from "@/db/enums";
import { toolServerUrl } from "@/lib/domain/assistants/authorize";
import { env } from "@/lib/ground/env/env";

/** What a client may read about authorization (RFC 8414); the form of answers follows from it. */
function serverMetadata(): OAuthMetadata {
  const { APP_URL } = env();
  return {
    issuer: APP_URL,
    authorization_endpoint: `${APP_URL}/oauth/authorize`,
    token_endpoint: `${APP_URL}/oauth/token`,
    registration_endpoint: `${APP_URL}/oauth/register`,
    revocation_endpoint: `${APP_URL}/oauth/revoke`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    scopes_supported: [...assistantScopes],
    authorization_response_iss_parameter_supported: true,
  };
}

const protectedResource = "/.well-known/oauth-protected-resource";

/** Where the tool server's metadata is (RFC 9728): a 401 of the tool server names it. */
export const resourceMetadataUrl = () =>
  getOAuthProtectedResourceMetadataUrl(new URL(toolServerUrl()));

/** The metadata documents; undefined for all other paths. */
export function metadataResponse(request: Request): Response | undefined {
  const { pathname } = new URL(request.url);
  // Clients that do not know the tool server's path ask without it (RFC 9728, 3.1).
  const asked = pathname === protectedResource ? `${protectedResource}/mcp` : pathname;
  return oauthMetadataResponse(new Request(new URL(asked, env().APP_URL), request), {
    oauthMetadata: serverMetadata(),
    resourceServerUrl: new URL(toolServerUrl()),
    scopesSupported: [...assistantScopes],
    resourceName: "Lettermill",
    // Whether to run without TLS is the operator's choice, in APP_URL.
    dangerouslyAllowInsecureIssuerUrl: true,
  });
}
