import { handleRequest } from "@/lib/api/mounts";

export const dynamic = "force-dynamic";

export { handleRequest as GET, handleRequest as HEAD };
