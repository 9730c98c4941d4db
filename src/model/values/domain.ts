/** Domains of embedded links: the host of a URL in one spelling, so that filters compare plain strings. */
import { domainOfUrl, normaliseDomain } from '../../plugin/values.ts';
import { Dropped, expected, type Refusal } from './refusal.ts';

const FORM = 'a domain (example.com) or a full http(s) URL';
const NO_DOMAIN = new Dropped('an entry that is not a domain was dropped');

export function domainsOfUrls(urls: readonly string[]): string[] {
  const domains = new Set<string>();
  for (const url of urls) {
    const domain = domainOfUrl(url);
    if (domain !== undefined) domains.add(domain);
  }
  return [...domains];
}

/** Checks one entry of `embed_domains`. A URL or an authority (`host:port`) is reduced to the host. */
export function domain(value: unknown): string | Refusal | Dropped {
  return typeof value === 'string' ? (normaliseDomain(value) ?? NO_DOMAIN) : expected(FORM, value);
}
