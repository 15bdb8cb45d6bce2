import { useQueryClient } from "@tanstack/react-query";
import type { ApiAnswer, ApiInput, ApiRoute } from "@/lib/doors/http/client";
import { useProject } from "./project-context";
import { queryKey } from "./query-keys";

/** Shows a write's answer wherever the route is read, before the route is asked again. */
export function useStore<R extends ApiRoute>(
  route: R,
): (input: ApiInput<R>, answer: ApiAnswer<R>) => void {
  const { id } = useProject();
  const queries = useQueryClient();
  return (input, answer) => queries.setQueryData(queryKey(id, route, input), answer);
}
