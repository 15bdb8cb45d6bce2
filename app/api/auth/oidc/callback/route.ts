import { returnFromProvider } from "@/lib/doors/http/sign-in/oidc";
import { refuseOtherMethods } from "@/lib/doors/http/surface/other-methods";

export const dynamic = "force-dynamic";

// HEAD too: a program that only looks at the address would use the sign-in up.
const refuse = refuseOtherMethods("GET");

export {
  refuse as DELETE,
  returnFromProvider as GET,
  refuse as HEAD,
  refuse as OPTIONS,
  refuse as PATCH,
  refuse as POST,
  refuse as PUT,
};
