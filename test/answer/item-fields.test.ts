import { expect, test } from 'bun:test';
import { type Fields, KEY, openCommunity } from '../http/support.ts';
import { forFile } from '../support/service.ts';

/** Identifiers that JSON must escape, that look like JSON, or that are not ASCII. */
const ODD_IDS = ['"', '\\', 'tab\t', '\u0001', '\u2028', 'é', '😀', '"}],"x":[{', 'plain'];
const PROMOTION = {
  promotion_type: 'items',
  promotion_name: 'picks "of" the day',
  promoted_items: [{ item_id: ODD_IDS[0], rank: 1 }],
};
const EVERYTHING = { return_metadata: true, reasons: true, explain: true, promotion_filters: [PROMOTION] };
/** Only items of an experiment that interleaves its variants have it. */
const OF_EXPERIMENTS = 'team';
const OPTIONAL = ['promotion_name', OF_EXPERIMENTS, 'reasons', 'metadata', 'explain'];
const community = await forFile(openCommunity());
const created_at = community.now;
const html = { text: '<b>x</b>', text_format: 'html' };
await community.add('items', ...ODD_IDS.map((id) => ({ item_id: id, author_id: id, created_at, ...html })));
for (const id of ODD_IDS) {
  await community.follow('viewer', `friend ${id}`);
  await community.act(`friend ${id}`, 'comment', id);
}

/** A schema of the document; for a reference, its name is enough. */
interface Documented {
  properties?: Record<string, Documented>;
  items?: Documented;
  $ref?: string;
}

async function schemas(): Promise<Record<string, Documented>> {
  const { body } = await community.server.call('GET', '/swagger/json');
  return body.components.schemas;
}

/** Compares the fields of a value, and of all nested objects, with those of the document. */
function expectDocumented(all: Record<string, Documented>, schema: Documented, value: unknown): void {
  const name = schema.$ref?.split('/').at(-1);
  const { properties, items = {} } = name === undefined ? schema : all[name];
  if (Array.isArray(value)) for (const inner of value) expectDocumented(all, items, inner);
  else if (properties !== undefined) {
    const fields = Object.entries(value as Fields);
    const documented = Object.keys(properties).filter((field) => field !== OF_EXPERIMENTS);
    expect(fields.map(([field]) => field)).toEqual(documented);
    for (const [field, inner] of fields) expectDocumented(all, properties[field], inner);
  }
}

test('an item has every documented field, in the documented order, if all are requested', async () => {
  const all = await schemas();
  const page = await community.page('popular', { user_id: 'viewer', ...EVERYTHING });
  expect(page).toHaveLength(ODD_IDS.length);
  expect(page[0].social_proof).toHaveLength(1);
  expectDocumented(all, { $ref: 'FeedItem' }, page[0]);
});

test('an item lacks only the optional fields that were not requested', async () => {
  const { properties = {} } = (await schemas()).FeedItem;
  const [item] = await community.page('popular');
  expect(Object.keys(item)).toEqual(Object.keys(properties).filter((name) => !OPTIONAL.includes(name)));
});

test('identifiers of any characters are returned as they were ingested, in items and in social proof', async () => {
  const page = await community.page('for-you', { user_id: 'viewer' });
  expect(page.map(({ item_id }) => item_id).sort()).toEqual(ODD_IDS.toSorted());
  for (const { item_id, social_proof } of page)
    expect(social_proof.map(({ user_id }) => user_id)).toEqual([`friend ${item_id}`]);
});

test('answers to requests with a request_id, to previews and to others are the same text', async () => {
  const asked = { user_id: 'viewer', return_metadata: true, unknown: 1 };
  const { body } = await community.ask('popular', asked);
  const named = await community.ask('popular', { ...asked, request_id: 'one' });
  const { user_id, ...config } = asked;
  const preview = await community.server.call(
    'POST',
    '/api/feed/preview',
    { user_id, endpoint: 'casts/feed/popular', config },
    KEY,
  );
  // Each page has an id of its own.
  const text = JSON.stringify({ ...body, page_id: named.body.page_id });
  expect(JSON.stringify(named.body)).toBe(text);
  expect(JSON.stringify(preview.body.body)).toBe(JSON.stringify(body.body));
});
