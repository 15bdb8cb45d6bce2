export const dynamic = "force-dynamic";
export { requestLink as POST } from "@/lib/api/account";
