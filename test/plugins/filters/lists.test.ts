import { describe, expect, test } from 'bun:test';
import { faults, kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

/** What all filters with a list have in common. Error texts name the entry and what is allowed. */

/** An item that each filter could find, and one without any of their columns. */
const scene = new Scene()
  .item('described', {
    ...{ author: 'ann', channel: 'bikes', app_fid: '7', language: 'en', geo_location: '10,10' },
    ...{ publication_types: ['image'], embed_domains: ['example.com'], ai_labels: { music: 0.9 } },
  })
  .item('bare');

const found = (filter: string, value: unknown) => faults({ filters: { [filter]: value } });

describe('lists in filters', () => {
  test.each([
    ['author_ids', 100_000, 'a'],
    ['remove_author_ids', 100_000, 1],
    ['channels', 10_000, 'a'],
    ['app_fids', 10_000, 1],
    ['publication_types', 10_000, 'image'],
    ['embed_domains', 10_000, 'example.com'],
    ['languages', 10_000, 'en'],
    ['geo_locations', 1_000, '1,2'],
    ['remove_geo_locations', 1_000, '1,2'],
    ['ai_labels', 1_000, 'music'],
    ['remove_ai_labels', 1_000, { label: 'music' }],
  ])(
    'of %s have at most %d entries, refuse wrong types, and keep every item if they are empty',
    (filter, most, entry) => {
      expect(found(filter, Array(most).fill(entry))).toEqual([]);
      const [fault, ...more] = found(filter, Array(most + 1).fill(entry));
      expect([fault, more]).toEqual([expect.stringContaining(`/filters/${filter}: must be `), []]);
      expect(fault).toContain(`a list of at most ${most.toLocaleString('en')} `);
      const NO_LISTS = ['x', 1, true, {}];
      refused(filter, [...NO_LISTS, ...['', null, ['x'], {}, 1.5, Number.NaN].map((wrong) => [wrong])]);
      expect(kept(scene, filter, [])).toEqual(['described', 'bare']);
    },
  );

  const a = (length: number) => 'a'.repeat(length);
  test.each([
    ['author_ids', 'x', a(257), 'must be an author id: a text of 1 to 256 characters, or an integer'],
    ['author_ids', 'x', '', 'must be an author id: a text of 1 to 256 characters, or an integer'],
    ['remove_author_ids', 1, 1.5, 'must be an author id: a text of 1 to 256 characters, or an integer'],
    ['author_ids', 1, 2 ** 53, 'has lost digits; send ids beyond 2^53-1 as text'],
    ['channels', 'x', a(2049), 'must be a channel URL of 1 to 2,048 characters'],
    ['app_fids', 1, a(257), 'must be an app identifier of 1 to 256 characters, or an integer up to 2^53-1'],
    ['publication_types', 'x', a(65), 'must be a publication type of 1 to 64 characters'],
    ['ai_labels', 'x', a(65), 'must be a label of 1 to 64 characters, or {"label":"…","threshold":0..1}'],
    ['embed_domains', 'x.org', `${a(254)}.org`, 'is not a domain (example.com) of at most 253 characters'],
    ['languages', 'en', a(999), `'${a(64)}' is not a language tag such as en or pt-BR`],
  ])('of %s name the entry that is wrong, and what is allowed (%#)', (filter, sound, wrong, message) => {
    const [fault, ...more] = found(filter, [sound, wrong]);
    expect([fault, more]).toEqual([expect.stringContaining(`/filters/${filter}/1: `), []]);
    expect(fault).toContain(message);
  });
});
