"use client";

import { useEffect, useRef } from "react";
import { useInvalidateChanged } from "@/components/api/use-api";

/** Once a change is over, every list of people that is cached is out of date. */
export function useFreshContacts(underWay: boolean): void {
  const invalidateChanged = useInvalidateChanged();
  const was = useRef(underWay);
  useEffect(() => {
    if (was.current && !underWay) void invalidateChanged("POST /v1/contacts/changes");
    was.current = underWay;
  });
}
