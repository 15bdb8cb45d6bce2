import clsx from "clsx";

const colours: Record<string, string> = {
  GET: "text-info",
  POST: "text-success",
  PUT: "text-warning",
  PATCH: "text-warning",
  DELETE: "text-danger",
};

export function Method({ method }: { method: string }) {
  return (
    <span className={clsx("w-13 shrink-0 font-mono text-2xs font-semibold", colours[method])}>
      {method}
    </span>
  );
}
