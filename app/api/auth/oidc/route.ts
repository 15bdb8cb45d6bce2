import { leaveForProvider } from "@/lib/doors/http/sign-in/oidc";
import { refuseOtherMethods } from "@/lib/doors/http/surface/other-methods";

export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("POST");

export {
  refuse as DELETE,
  refuse as GET,
  refuse as HEAD,
  refuse as OPTIONS,
  refuse as PATCH,
  leaveForProvider as POST,
  refuse as PUT,
};
