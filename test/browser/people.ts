import type { Page } from 'playwright-core';
import type { Running } from '../../src/cli/run-service.ts';
import { openConsole, SIZES } from './console.ts';
import { KEY, openStage, type Stage } from './support.ts';

/** A small community for the pages about people and what they write. */

/** A post that tries everything that a page must not do. */
const HOSTILE_TEXT = 'Cats <img src=x onerror=alert(1)> at https://example.com/cats and javascript:alert(2)';

const CHANNEL = 'https://example.community/channel/music';

async function fillWithPeople({ service }: Pick<Running, 'service'>): Promise<void> {
  const now = Math.floor(service.clock.now());
  const { ingest } = service;
  await ingest.ingest('users', [
    {
      user_id: 'u-ada',
      username: 'ada',
      display_name: 'Ada Heron',
      pfp_url: 'https://pictures.example/ada.png',
    },
    { user_id: 'u-ben', username: 'ben', display_name: 'Ben Kiln' },
    { user_id: 'u-bea', username: 'bea', display_name: 'Bea Otter' },
    { user_id: 'u-cleo', username: 'cleo', display_name: '<b>Cleo</b>' },
  ]);
  const item = (item_id: string, text: string, age_hours: number, more: object = {}) => ({
    ...{ item_id, text, author_id: 'u-ben', created_at: now - age_hours * 3_600, channel: CHANNEL },
    ...{ language: 'de', ai_labels: { music: 0.9, joy: 0.25 }, ...more },
  });
  await ingest.ingest('items', [
    item('song-1', 'The first song', 5),
    item('song-2', 'The second song', 4),
    item('song-3', 'The third song', 3),
    item('song-4', 'The fourth song', 3),
    item('song-5', 'The fifth song', 3),
    item('odd-1', 'By an odd author', 2.5, { author_id: 'constructor' }),
    item('cats-1', HOSTILE_TEXT, 2, {
      author_id: 'u-cleo',
      channel: 'https://example.community/channel/cats',
      embed_items: ['https://pictures.example/cat.jpg', 'https://example.com/page'],
    }),
  ]);
  await ingest.ingest('follows', [
    { user_id: 'u-ada', target_user_id: 'u-ben', action: 'follow', timestamp: now - 90_000 },
  ]);
  const act = (user_id: string, event_type: string, item_id: string, minutes: number) => ({
    ...{ user_id, event_type, item_id, action: 'add', timestamp: now - minutes * 60 },
  });
  await ingest.ingest('interactions', [
    act('u-ada', 'like', 'song-1', 90),
    act('u-ada', 'share', 'song-2', 80),
    act('u-bea', 'like', 'song-1', 70),
    act('u-ada', 'report', 'cats-1', 60),
    act('u-bea', 'report', 'cats-1', 50),
    act('u-bea', 'hide', 'song-3', 40),
    act('u-cleo', 'report', 'song-3', 30),
    act('u-bea', 'hide', 'song-2', 20),
  ]);
}

/** A console that is shared by the tests of a file. */
export interface Shared {
  stage: Stage;
  page: Page;
  /** Shows a page of the console, on a laptop. */
  go(where: string): Promise<void>;
  /** Asks the API beside the console. */
  ask(method: string, path: string, body?: object): Promise<{ status: number; answer: unknown }>;
}

export async function openShared(): Promise<Shared> {
  const stage = await openStage({}, fillWithPeople);
  const page = await openConsole(stage);
  const go = async (where: string): Promise<void> => {
    await page.setViewportSize(SIZES.laptop);
    await page.goto(`${stage.running.address}/console${where}`);
    await page.reload();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  };
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${stage.running.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    return { status: response.status, answer: await response.json() };
  };
  return { stage, page, go, ask };
}
