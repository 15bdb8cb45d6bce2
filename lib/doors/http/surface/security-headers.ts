/**
 * The pages' Content-Security-Policy. With a nonce, new for each request, only our scripts run; Next reads
 * it from the policy among the *request's* headers and puts it on every script it writes. Without one
 * (a plain Next server, no bin/web.ts in front) Next's inline bootstrap needs 'unsafe-inline'.
 */
export function contentSecurityPolicy(options: {
  nonce?: string;
  development?: boolean;
  /** APP_URL is https. */
  https?: boolean;
}): string {
  const { nonce, development = false, https = false } = options;
  const scripts = nonce ? `'nonce-${nonce}' 'strict-dynamic'` : "'unsafe-inline'";
  return [
    "default-src 'self'",
    // React's development build evaluates text to rebuild server stacks.
    `script-src 'self' ${scripts}${development ? " 'unsafe-eval'" : ""}`,
    // Next's development overlay and hot reload write style elements without a nonce.
    `style-src 'self'${nonce && !development ? ` 'nonce-${nonce}'` : " 'unsafe-inline'"}`,
    // Positions of menus and charts are style attributes; they cannot run anything.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${development ? " ws: wss:" : ""}`,
    "frame-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(https ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

/** Pages whose address lets its holder act for somebody: links on them must not pass it on as referrer. */
export const tokenPages = ["login/token", "sign-in/reset", "sign-in/invitation"] as const;

/**
 * Where assistants send people in a window of their own: if it were cut off from its opener, the opener would take the
 * window for closed. Neither page shows anything before somebody acts in it, and no other page can read them.
 */
export const openedPages = ["oauth/authorize", "sign-in"] as const;

/** Headers of every page apart from the policy. `path`: the page's, where it is known. */
export function pageSecurityHeaders(
  options: { https?: boolean; path?: string } = {},
): Record<string, string> {
  const { path = "" } = options;
  const secret = tokenPages.some((page) => path.startsWith(`/${page}/`));
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": secret ? "no-referrer" : "strict-origin-when-cross-origin",
    ...(secret ? { "x-robots-tag": "noindex, nofollow" } : {}),
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": openedPages.some((page) => path === `/${page}`)
      ? "unsafe-none"
      : "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    ...(options.https
      ? { "strict-transport-security": "max-age=63072000; includeSubDomains" }
      : {}),
  };
}
