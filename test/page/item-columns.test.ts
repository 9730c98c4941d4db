import { expect, test } from 'bun:test';
import { type GroupColumn, NONE } from '../../src/plugin/index.ts';
import { itemOf, requestIn, Scene } from '../support/scene.ts';

const COLUMNS: readonly GroupColumn[] = [
  'author',
  'channel',
  'app',
  'language',
  'publication_type',
  'domain',
  'label',
];

test.each(COLUMNS)(
  'has returns false for NONE in the column %s, even for an item without a value',
  (column) => {
    const scene = new Scene().item('bare').item('whole', {
      author: 'somebody',
      channel: 'music',
      app_fid: '1',
      language: 'en',
      publication_types: ['image'],
      embed_domains: ['example.com'],
      ai_labels: { music: 1 },
    });
    const request = requestIn(scene);
    const unknown = request.item.code(column, 'unheard-of');
    expect(unknown).toBe(NONE);
    for (const id of ['bare', 'whole'])
      expect(request.item.has(column, itemOf(scene, id), unknown)).toBe(false);
  },
);
