import {
  anyOf,
  defineFilter,
  InvalidOptions,
  normaliseDomain,
  postingsOf,
  readEach,
  Type,
} from 'feedloom/plugin';

/** Only items with embeds from the given domains or their subdomains; a URL stands for its host. Spec 1.1, 2.3. */
export default defineFilter({
  summary: 'Only content with embeds from the given domains and their subdomains.',
  depends_on: () => 'content',
  kind: 'inclusion',
  options: Type.Array(Type.String({ description: 'a domain or a full URL' }), {
    description: 'a list of domains (example.com) or full http(s) URLs',
    examples: [['picsum.photos', 'https://wikipedia.org/']],
  }),
  compile: (domains) => anyOf('domain', readEach(domains, host)),
  postings: (domains) => postingsOf('domain', readEach(domains, host)),
});

function host(text: string): string {
  const domain = normaliseDomain(text);
  if (domain === undefined)
    throw new InvalidOptions(`'${text}' is neither a domain (example.com) nor a full http(s) URL`);
  return domain;
}
