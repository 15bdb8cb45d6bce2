export const dynamic = "force-dynamic";
export { requestLink as POST } from "@/lib/doors/http/sign-in/account";
