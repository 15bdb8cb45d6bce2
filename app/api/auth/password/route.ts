export const dynamic = "force-dynamic";
export { setPasswordByLink as POST } from "@/lib/api/account";
