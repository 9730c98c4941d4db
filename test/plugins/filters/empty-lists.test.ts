import { expect, test } from 'bun:test';
import { kept } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

/** An item that each filter could find, and one without any of their columns. */
const scene = new Scene()
  .item('described', {
    ...{ author: 'ann', channel: 'bikes', app_fid: '7', language: 'en', geo_location: '10,10' },
    ...{ publication_types: ['image'], embed_domains: ['example.com'], ai_labels: { music: 0.9 } },
  })
  .item('bare');

const LISTS = [
  'ai_labels',
  'app_fids',
  'author_ids',
  'channels',
  'embed_domains',
  'geo_locations',
  'languages',
];

test.each([...LISTS, 'publication_types'])('%s keeps every item if its list is empty', (filter) => {
  expect(kept(scene, filter, [])).toEqual(['described', 'bare']);
});
