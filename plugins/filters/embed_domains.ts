import {
  anyOf,
  defineFilter,
  InvalidOptions,
  listOf,
  normaliseDomain,
  postingsOf,
  readEach,
  Type,
  valuesNamed,
} from 'feedloom/plugin';

const FORM =
  'a domain (example.com) of at most 253 characters, or a full http(s) URL of at most 4,096 characters';

/** Keeps items with embeds from the given domains or their subdomains. A URL counts as its host. Spec 1.1, 2.3. */
export default defineFilter({
  summary: 'Only content with embeds from the given domains and their subdomains.',
  depends_on: 'content',
  kind: 'inclusion',
  options: listOf(Type.String({ description: FORM }), 'domains (example.com) or full http(s) URLs', [
    'picsum.photos',
    'https://wikipedia.org/',
  ]),
  compile: (domains) => anyOf('domain', readEach(domains, host)),
  postings: (domains) => postingsOf('domain', readEach(domains, host)),
  named_values: (domains) => valuesNamed('domain', domains, (domain) => [host(domain)]),
});

function host(text: string): string {
  const domain = normaliseDomain(text);
  if (domain === undefined) throw new InvalidOptions(`'${text.slice(0, 64)}' is not ${FORM}`);
  return domain;
}
