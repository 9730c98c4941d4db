import { describe, expect, test } from 'bun:test';
import { ExportFolder } from '../../../src/interchange/export-folder.ts';
import { exportFiles } from '../../../src/interchange/exporter.ts';
import { importInto, withFolder } from '../../interchange/support.ts';
import { forFile, openTestService } from '../../support/service.ts';
import { ingestPath, testCommunity as it, openCommunity } from '../support.ts';

const community = await forFile(openCommunity());

/** A vector of 16 numbers that begins with these. */
function vector(...numbers: number[]): number[] {
  return [...numbers, ...Array<number>(16 - numbers.length).fill(0)];
}

function base64(...numbers: number[]): string {
  return Buffer.from(Int8Array.from(vector(...numbers)).buffer).toString('base64');
}

const embeddings = () => community.server.service.state.embeddings;

describe('the embedding of an item', () => {
  test('is answered as base64 of 8-bit integers, and may be sent back', async () => {
    await community.addItem('a', { embedding: vector(1, -0.5) });
    expect(await community.stored('items', 'a')).toMatchObject({ embedding: base64(127, -63) });
    await community.addItem('b', { embedding: base64(3, 4) });
    expect(await community.stored('items', 'b')).toMatchObject({ embedding: base64(3, 4) });
    const before = community.seq;
    await community.add('items', { item_id: 'a', embedding: base64(127, -63) });
    await community.add('items', { item_id: 'a', embedding: vector(2, -1) });
    expect(community.seq).toBe(before);
  });

  test('stays when other fields are sent, and is removed by an empty string', async () => {
    await community.addItem('c', { embedding: vector(1) });
    await community.add('items', { item_id: 'c', text: 'new' });
    expect(await community.stored('items', 'c')).toMatchObject({ text: 'new', embedding: base64(127) });
    const before = embeddings().count;
    await community.add('items', { item_id: 'c', embedding: '' });
    expect(await community.stored('items', 'c')).not.toHaveProperty('embedding');
    expect(embeddings().count).toBe(before - 1);
  });

  test('frees its room when its item is deleted or its author erased', async () => {
    const before = embeddings().count;
    await community.addItem('d', { embedding: vector(1) });
    await community.addItem('e', { author_id: 'erased', embedding: vector(1) });
    expect(embeddings().count).toBe(before + 2);
    await community.remove('items', 'd');
    await community.remove('users', 'erased');
    expect(embeddings().count).toBe(before);
  });
});

describe('all embeddings of a network have one length', () => {
  it('another length is rejected, also within the body that brings the first one', async (fresh) => {
    const records = [16, 20, 16].map((length, at) => ({
      ...{ item_id: `i${at}`, author_id: 'author', created_at: 1 },
      embedding: Array<number>(length).fill(1),
    }));
    const { status, body } = await fresh.server.post(ingestPath('items'), records);
    const detail = '/embedding: expected 16 numbers, as in the other embeddings; got 20';
    expect(status).toBe(200);
    expect(body).toMatchObject({ accepted: 2, rejected: [{ index: 1 }] });
    expect(JSON.stringify(body.rejected)).toContain(detail.slice(12));
  });

  it('another length is accepted once no item has an embedding', async (fresh) => {
    await fresh.addItem('a', { embedding: vector(1) });
    const longer = Array<number>(32).fill(1);
    const { status } = await fresh.server.post(ingestPath('items'), [{ item_id: 'a', embedding: longer }]);
    expect(status).toBe(400);
    await fresh.add('items', { item_id: 'a', embedding: '' });
    await fresh.add('items', { item_id: 'a', embedding: longer });
    expect(fresh.server.service.state.embeddings.length).toBe(32);
  });
});

it('an export and an import keep embeddings', async (source) => {
  await source.addItem('a', { embedding: vector(1, 0.3) });
  await source.addItem('b', { text: 'without' });
  await using target = await openTestService();
  await withFolder({}, async (folder) => {
    const out = new ExportFolder(folder, { force: false, gzip: false });
    await exportFiles(source.server.service.store, out);
    out.finish();
    await importInto(target, folder);
  });
  const { items, embeddings: held } = target.service.state;
  expect(held.encoded(items.names.find('a'))).toBe(base64(127, 38));
  expect(held.count).toBe(1);
});

test('an import rejects a line whose embedding has another length', async () => {
  await using target = await openTestService();
  const line = (item_id: string, embedding: unknown) =>
    JSON.stringify({ item_id, author_id: 'x', created_at: 1, embedding });
  const files = {
    'items.jsonl': [
      line('a', vector(1)),
      line('b', base64(0, 5)),
      line('c', Array<number>(17).fill(1)),
      '',
    ].join('\n'),
  };
  const { lines } = await withFolder(files, (folder) => importInto(target, folder));
  expect(lines.join('\n')).toContain('expected 16 numbers, as in the other embeddings; got 17');
  expect(target.service.state.embeddings.count).toBe(2);
});
