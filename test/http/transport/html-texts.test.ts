import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { exportFrom, importInto, withFolder, withService } from '../../interchange/support.ts';
import { forFile } from '../../support/service.ts';
import { type Fields, openCommunity } from '../support.ts';

const HTML =
  '<p>Das ist ein <b>sch&ouml;ner</b> Tag,</p><p>wir gehen heute <a href="https://park.example/weg">spazieren</a></p>' +
  '<script>this is an English text that nobody reads, of course</script>';
const PLAIN = 'Das ist ein schöner Tag,\nwir gehen heute spazieren';
const plugins = join(import.meta.dir, '..', 'reading-plugin.ts');
const community = await forFile(openCommunity({ settings: { plugins } }));

const stored = (id: string) => community.stored('items', id);

describe('a text that is HTML', () => {
  test('length and language of an HTML text ignore markup, and the text is returned as it was sent', async () => {
    await community.addItem('html', { text: HTML, text_format: 'html' });
    const { text_length, metadata } = await community.shown('html', { return_metadata: true });
    expect(text_length).toBe([...PLAIN].length);
    expect(metadata).toMatchObject({ text: HTML, text_format: 'html', language: 'de' });
    const record = await stored('html');
    expect(record).toMatchObject({ text: HTML, text_format: 'html', language: 'de' });
    expect(record).not.toHaveProperty('plain_text');
  });

  test('links in an HTML text are added to embed_items and embed_domains', async () => {
    await community.addItem('links', { text: HTML, text_format: 'html' });
    expect(await stored('links')).toMatchObject({
      embed_items: ['https://park.example/weg'],
      embed_domains: ['park.example'],
    });
    const found = await community.ids('popular', { filters: { embed_domains: ['park.example'] } });
    expect(found).toContain('links');
  });

  test('plugins read an HTML text without markup', async () => {
    await community.addItem('read', { text: '<b>vio</b>lin <i class="kazoo">x</i>', text_format: 'html' });
    const containing = (part: string) => community.ids('popular', { filters: { 'reader/containing': part } });
    expect(await containing('violin')).toEqual(['read']);
    expect(await containing('kazoo')).toEqual([]);
  });

  test('a text stays HTML until a record says that it is plain', async () => {
    await community.addItem('changing', { text: HTML, text_format: 'html' });
    await community.add('items', {
      item_id: 'changing',
      text: '<p>The quick brown fox jumps over the lazy dog</p>',
    });
    expect(await stored('changing')).toMatchObject({ text_format: 'html', language: 'en' });
    expect(await stored('changing')).not.toHaveProperty('embed_items');
    expect((await community.shown('changing')).text_length).toBe(43);
    await community.add('items', { item_id: 'changing', text_format: 'plain' });
    expect(await stored('changing')).not.toHaveProperty('text_format');
    expect((await community.shown('changing')).text_length).toBe(50);
  });

  test('an HTML text that is sent again changes nothing', async () => {
    const item: Fields = { text: HTML, text_format: 'html' };
    await community.addItem('again', item);
    const { seq } = community;
    await community.addItem('again', item);
    expect(community.seq).toBe(seq);
  });
});

test('a plain text keeps its markup as text', async () => {
  await community.addItem('plain', { text: '<b>x</b>' });
  expect((await community.shown('plain', { return_metadata: true })).text_length).toBe(8);
  expect(await stored('plain')).not.toHaveProperty('embed_items');
  const metadata = (await community.shown('plain', { return_metadata: true })).metadata;
  expect(metadata).not.toHaveProperty('text_format');
});

describe('links and languages that were said', () => {
  test('given links and languages stay when the text changes', async () => {
    const said = { embed_items: ['https://own.example/'], language: 'fr' };
    await community.addItem('said', { text: HTML, text_format: 'html', ...said });
    expect(await stored('said')).toMatchObject({ ...said, embed_domains: ['own.example'] });
    await community.add('items', {
      item_id: 'said',
      text: '<a href="https://other.example/">Noch ein schöner langer Text</a>',
    });
    expect(await stored('said')).toMatchObject({ ...said, embed_domains: ['own.example'] });
  });

  test('an empty list of links is kept', async () => {
    await community.addItem('none', { text: HTML, text_format: 'html', embed_items: [] });
    expect(await stored('none')).toMatchObject({ embed_items: [], embed_domains: [] });
  });

  test('a record may give domains alone', async () => {
    await community.addItem('domains', { text: HTML, text_format: 'html', embed_domains: ['own.example'] });
    expect(await stored('domains')).toMatchObject({
      embed_items: ['https://park.example/weg'],
      embed_domains: ['own.example'],
    });
    await community.add('items', { item_id: 'domains', text: '<a href="https://other.example/">x</a>' });
    expect(await stored('domains')).toMatchObject({
      embed_items: ['https://other.example/'],
      embed_domains: ['own.example'],
    });
  });
});

test('HTML texts are exported as they were sent, and imported unchanged', async () => {
  const line = JSON.stringify({
    item_id: 'html',
    author_id: 'w',
    created_at: 1_700_000_000,
    text: HTML,
    text_format: 'html',
  });
  await withFolder({ 'items.jsonl': line }, (first) =>
    withService(async (one) => {
      await importInto(one, first);
      await withFolder({}, async (second) => {
        await exportFrom(one, second);
        await withService(async (other) => {
          const { lines } = await importInto(other, second);
          expect(lines).toEqual([]);
          const item = other.service.state.items.names.find('html');
          expect(other.service.state.items.text_length(item)).toBe([...PLAIN].length);
          const contents = await other.service.store.readItems([other.service.state.items.content_seq(item)]);
          expect([...contents.values()]).toMatchObject([
            { text: HTML, text_format: 'html', language: 'de', embed_items: ['https://park.example/weg'] },
          ]);
        });
      });
    }),
  );
});
