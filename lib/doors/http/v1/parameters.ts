import { z } from "zod";

/** A path parameter that holds an id. What is no id of the kind is answered by the domain: 404. */
export function idParam(of: string, example: string) {
  return z.string().meta({ description: `Id of the ${of}.`, example });
}
