import { handleRequest } from "@/lib/doors/http/mounts";

export const dynamic = "force-dynamic";

export { handleRequest as GET, handleRequest as POST };
