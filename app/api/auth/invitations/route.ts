import { answerOwnInvitation } from "@/lib/doors/http/sign-in/invitations";
import { refuseOtherMethods } from "@/lib/doors/http/surface/other-methods";

export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("POST");

export {
  refuse as DELETE,
  refuse as GET,
  refuse as HEAD,
  refuse as OPTIONS,
  refuse as PATCH,
  answerOwnInvitation as POST,
  refuse as PUT,
};
