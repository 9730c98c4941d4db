interface Answering {
  set: { headers: Record<string, string | number> };
}

/**
 * Sets the content security policy of pages, which send no forms and are in no frames of other pages.
 * @param sources what else they may load, by directive
 */
export function pagePolicy(...sources: string[]): ({ set }: Answering) => void {
  const rest = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  const policy = ["default-src 'none'", ...sources, ...rest].join('; ');
  return ({ set }) => {
    set.headers['content-security-policy'] = policy;
  };
}
