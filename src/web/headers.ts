/** What every answer says to a browser: nothing from elsewhere, nothing inline, no frame around us, nothing kept. */
export const guarded = {
  'content-security-policy':
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const;

/**
 * A report brings its own script and style in one file. It is shown as a stranger: in a sandbox without an origin, from which nothing can
 * be asked for.
 */
export const sandboxed = {
  ...guarded,
  'content-security-policy':
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'",
} as const;
