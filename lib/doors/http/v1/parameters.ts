import { z } from "zod";

/** A path parameter that holds an id. Anything that is not such an id gets 404 from the domain. */
export function idParam(of: string, example: string) {
  return z.string().meta({ description: `Id of the ${of}.`, example });
}
