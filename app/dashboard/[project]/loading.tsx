import { Skeleton, TableSkeleton } from "@/components/ui/skeleton";

/** The shape most pages have: a title, then rows. */
export default function Loading() {
  return (
    <>
      <div className="mb-7 border-b-3 border-double border-rule-strong pb-5">
        <Skeleton className="h-10 w-48" />
      </div>
      <TableSkeleton />
    </>
  );
}
