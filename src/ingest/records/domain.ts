/** Domains of embedded things: the host of a URL, in one spelling, so that filters compare plain strings. */
import { URL_LENGTH_MAX } from './checks.ts';
import { expected, type Refusal } from './refusal.ts';

/** Bytes of a host name (RFC 1035). */
const DOMAIN_LENGTH_MAX = 253;
const FORM = 'a domain (example.com) or a full http(s) URL';

/** A URL's authority: no path, no spaces. Crawlers leave ports and even users in it. */
const AUTHORITY = /^[^\s/?#\\]+$/;

/**
 * The host of an http(s) URL: lower case, IDN in its ASCII form, without port and trailing dot. A leading
 * `www.` stays, since a domain filter matches subdomains. Undefined when `url` is anything else.
 */
export function domainOfUrl(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return undefined;
  let host = parsed.hostname;
  while (host.endsWith('.')) host = host.slice(0, -1);
  return host === '' || host.length > DOMAIN_LENGTH_MAX ? undefined : host;
}

/** The domains of those `urls` that have one, each once, in order of appearance. */
export function domainsOfUrls(urls: readonly string[]): string[] {
  const domains = new Set<string>();
  for (const url of urls) {
    const domain = domainOfUrl(url);
    if (domain !== undefined) domains.add(domain);
  }
  return [...domains];
}

/** Check of one entry of `embed_domains`; a URL or its authority (`host:port`) is reduced to the host. */
export function domain(value: unknown): string | Refusal {
  if (typeof value !== 'string' || value.length > URL_LENGTH_MAX) return expected(FORM, value);
  if (value.includes('://')) return domainOfUrl(value) ?? expected(FORM, value);
  if (!AUTHORITY.test(value)) return expected(FORM, value);
  return domainOfUrl(`http://${value}`) ?? expected(FORM, value);
}
