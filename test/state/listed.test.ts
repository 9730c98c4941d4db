import { afterEach, expect, spyOn, test } from 'bun:test';
import { Postings } from '../../src/columns/postings.ts';
import type { ItemContent } from '../../src/model/records/item.ts';
import { NOW, Scene } from '../support/scene.ts';

const CONTENT: Partial<ItemContent> & { author: string } = {
  author: 'a',
  created_at: NOW - 60,
  text: 'before',
  channel: 'music',
  app_fid: '1',
  language: 'pt-br',
  publication_types: ['image', 'video'],
  embed_domains: ['blog.example.com', 'example.org'],
  ai_labels: { music: 0.9, spam: 0.1 },
};

afterEach(() => {
  added?.mockRestore();
});
let added: ReturnType<typeof spyOn<Postings, 'add'>> | undefined;

/** The number of lists that an item is inserted into when its next version has this difference. */
function relisted(next: Partial<ItemContent> & { author?: string }): number {
  const scene = new Scene().item('x', CONTENT);
  added = spyOn(Postings.prototype, 'add');
  scene.item('x', { ...CONTENT, ...next });
  const times = added.mock.calls.length;
  added.mockRestore();
  return times;
}

test.each<[string, Parameters<typeof relisted>[0], number]>([
  ['its text', { text: 'after' }, 0],
  ['the region of its language', { language: 'pt' }, 0],
  ['its channel', { channel: 'chess' }, 1],
  ['having no channel', { channel: undefined }, 0],
  ['a score', { ai_labels: { music: 0.8, spam: 0.1 } }, 2],
  ['one label fewer', { ai_labels: { music: 0.9 } }, 1],
  ['its domains', { embed_domains: ['example.org'] }, 2],
  // All items, its author's, channel, app, language, two types, five domains, two labels.
  ['its author', { author: 'b' }, 14],
  ['its creation time', { created_at: NOW - 61 }, 14],
])('a new version that differs by %s is inserted only into the affected lists', (_what, next, lists) => {
  expect(relisted(next)).toBe(lists);
});
