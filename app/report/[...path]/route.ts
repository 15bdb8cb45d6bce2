import { handleRequest } from "@/lib/doors/http/mounts";

export const dynamic = "force-dynamic";

export {
  handleRequest as DELETE,
  handleRequest as GET,
  handleRequest as HEAD,
  handleRequest as OPTIONS,
  handleRequest as PATCH,
  handleRequest as POST,
  handleRequest as PUT,
};
