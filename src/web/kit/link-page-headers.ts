/** Origins that a page may load from and send to, beside ours. */
interface LinkPage {
  /** `Permissions-Policy`. */
  permissions: string;
  /** Origins of images. */
  images?: readonly string[];
  /** Further sources of scripts. */
  scripts?: readonly string[];
}

/** A `Content-Security-Policy`: nothing of other hosts but these. @param images origins. @param scripts further sources. */
export function pagePolicy(images: readonly string[] = [], scripts: readonly string[] = []): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self'",
    ["img-src 'self' data:", ...images].join(' '),
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** Headers of pages behind a secret link: nothing but these images from other hosts, no store, no referrer. */
export function linkPageHeaders({ permissions, images, scripts }: LinkPage): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': pagePolicy(images, scripts),
    'Permissions-Policy': permissions,
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}
