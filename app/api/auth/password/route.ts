export const dynamic = "force-dynamic";
export { setPasswordByLink as POST } from "@/lib/doors/http/sign-in/account";
