import { join } from 'node:path';
import { seededRandom } from '../../src/clock.ts';
import { START, type TestService } from '../support/service.ts';
import { exportFrom, type Files, importInto, readFiles, withFolder, withService } from './support.ts';

export const USERS = 30;
const ITEMS = 40;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Hours in which some items get more and more engagements, and records often arrive late. */
export async function live({ service, clock }: TestService, hours: number, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const end = clock.now() + hours * HOUR;
  for (; clock.now() < end; clock.advance(5 * MINUTE)) {
    const acts = Array.from({ length: 8 }, () => ({
      user_id: `user ${Math.floor(random() * USERS)}`,
      item_id: `item ${Math.floor(random() ** 2 * ITEMS)}`,
      event_type: ['like', 'share', 'view'][Math.floor(random() * 3)],
      timestamp: clock.now() - (random() < 0.5 ? 0 : Math.floor(random() * 3 * HOUR)),
    }));
    await service.ingest.ingest('interactions', acts);
  }
}

/** Makes a community with many learnt trends. The clock stands at its end. */
export async function begin(opened: TestService): Promise<void> {
  opened.clock.set(START - 12 * HOUR);
  await opened.service.ingest.ingest(
    'items',
    Array.from({ length: ITEMS }, (_, item) => ({
      item_id: `item ${item}`,
      author_id: `user ${item % 7}`,
      // Some are dated ahead, and come before the earlier ones in the export.
      created_at: START + (item - ITEMS + 2) * HOUR,
    })),
  );
  await live(opened, 11, 1);
}

/** The pages of all users, as answered. */
export async function pages({ service }: TestService): Promise<string[]> {
  const answers: string[] = [];
  for (let user = 0; user < USERS; user++) {
    const request = {
      user_id: `user ${user}`,
      top_k: 30,
      impression_count: 0,
      return_metadata: true,
      seed: 3,
    };
    for (const type of ['for-you', 'trending', 'popular'] as const)
      answers.push(JSON.stringify(await service.feeds.serve(type, request)));
  }
  return answers;
}

export async function exported(opened: TestService): Promise<Files> {
  return withFolder({}, async (folder) => {
    await exportFrom(opened, join(folder, 'out'));
    return readFiles(join(folder, 'out'));
  });
}

/** Imports files into a fresh service whose clock equals that of another. @returns the printed lines */
export function withElsewhere<T>(
  files: Files,
  now: number,
  work: (elsewhere: TestService, lines: string[]) => Promise<T>,
): Promise<T> {
  return withService((elsewhere) =>
    withFolder(files, async (folder) => {
      elsewhere.clock.set(now);
      const { lines } = await importInto(elsewhere, folder);
      return work(elsewhere, lines);
    }),
  );
}

export const trendsOf = (files: Files) => JSON.parse(String(files['trends.jsonl']));
