"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Toaster } from "@/components/ui/toast";
import { ApiError } from "@/lib/doors/http/client";

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // A refusal will be repeated; a lost connection may come back.
        retry: (failures, error) =>
          failures < 2 && !(error instanceof ApiError && error.status < 500),
      },
    },
  });
}

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  const [queryClient] = useState(newQueryClient);
  return (
    <CSPProvider nonce={nonce}>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delay={400}>
          {children}
          <Toaster />
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  );
}
