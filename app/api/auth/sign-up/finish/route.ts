import { endSignUp } from "@/lib/doors/http/sign-in/sign-up";
import { refuseOtherMethods } from "@/lib/doors/http/surface/other-methods";

export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("POST");

export {
  refuse as DELETE,
  refuse as GET,
  refuse as HEAD,
  refuse as OPTIONS,
  refuse as PATCH,
  endSignUp as POST,
  refuse as PUT,
};
