import { expect, test } from 'bun:test';
import { searchIn } from '../../src/console/app/site/section-search.ts';
import { forFile, openTestServer } from '../support/service.ts';

/** The search of the documents finds the right page by words that newcomers use. */

const server = await forFile(openTestServer());
const { body: sections } = await server.call('GET', '/docs/sections.json', undefined, {});
const search = searchIn(sections, 'http://site/docs/');

const WANTED: [query: string, address: string][] = [
  ['banned', 'moderation#hide-a-user-ban-a-member'],
  ['ban a member', 'moderation#hide-a-user-ban-a-member'],
  ['gdpr', 'deletions'],
  ['delete account', 'deletions'],
  ['timezone', 'import-maps#values'],
  ['time zone', 'import-maps#values'],
  ['boolean', 'import-maps#true-and-false'],
  ['hide replies', 'recipes#no-replies'],
  ['thread', 'import#threads-and-replies'],
  ['own posts', 'troubleshooting#own-posts-in-the-feed'],
  ['sign in', 'console#sign-in'],
  ['login', 'console#sign-in'],
  ['pagination', 'feeds#pages-one-after-another'],
];

test.each(WANTED)('a search for "%s" has %s among its first three results', (query, address) => {
  const found = search(query).map(({ href }) => href.slice('http://site/docs/'.length));
  expect(found.slice(0, 3)).toContain(address);
});
