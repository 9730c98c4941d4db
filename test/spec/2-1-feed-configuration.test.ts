import { expect, test } from 'bun:test';
import { WHOLE } from '../http/config-support.ts';
import type { Fields } from '../http/support.ts';
import { forFile } from '../support/service.ts';
import { openService } from './support.ts';

const service = await forFile(openService());

/** The answer to a new feed. */
async function created(object: Fields): Promise<Fields> {
  const { status, body } = await service.account.create({ name: 'A feed', ...object });
  expect(status).toBe(201);
  return body.data;
}

test('2.1 a feed configuration has config_id, name, description, endpoint, status, visibility, config, feed_image_url, short_name', async () => {
  const feed = await created(WHOLE);
  expect(feed).toMatchObject(WHOLE);
  const { data } = (await service.account.get(String(feed.config_id))).body;
  expect(data).toEqual(feed);
});

test('2.1 config_id has the form feed_<number> and names one feed for ever', async () => {
  const [first, second] = [await created({}), await created({})];
  expect(String(first.config_id)).toMatch(/^feed_[1-9]\d*$/);
  expect(second.config_id).not.toBe(first.config_id);
  await service.account.remove(String(second.config_id));
  expect((await created({})).config_id).not.toBe(second.config_id);
});

test('2.1 config_id is required in update and a query parameter on retrieval', async () => {
  const { config_id } = await created({ name: 'old' });
  expect((await service.account.patch({ name: 'new' })).status).toBe(400);
  expect(await service.account.set(String(config_id), { name: 'new' })).toMatchObject({ name: 'new' });
  expect((await service.account.get(String(config_id))).body.data.name).toBe('new');
});

test('2.1 endpoint is the feed type path segment: casts/feed/for-you, and its siblings', async () => {
  for (const type of ['for-you', 'trending', 'popular']) {
    const endpoint = `casts/feed/${type}`;
    const { config_id } = await created({ endpoint });
    const request = { user_id: 'viewer', feed_id: config_id };
    expect((await service.community.ask(type, request)).status).toBe(200);
  }
  expect((await service.account.create({ name: 'x', endpoint: 'casts/feed/newest' })).status).toBe(400);
});

test('2.1 status active is used; an inactive feed cannot be built', async () => {
  const { config_id, status } = await created({});
  expect(status).toBe('active');
  await service.account.set(String(config_id), { status: 'inactive' });
  const answer = await service.community.ask('for-you', { user_id: 'viewer', feed_id: config_id });
  expect(answer.status).toBe(404);
});

test('2.1 visibility private is used', async () => {
  expect(await created({})).toMatchObject({ visibility: 'private' });
  expect(await created({ visibility: 'private' })).toMatchObject({ visibility: 'private' });
});

test('2.1 description is free text, feed_image_url a URL, short_name may be null', async () => {
  const fields = { description: 'Frei — ✓ 中文', feed_image_url: 'https://example.community/x.png' };
  expect(await created({ ...fields, short_name: null })).toMatchObject({ ...fields, short_name: null });
  expect(await created({ short_name: 'short' })).toMatchObject({ short_name: 'short' });
  expect((await service.account.create({ name: 'x', feed_image_url: 'no url' })).status).toBe(400);
});
