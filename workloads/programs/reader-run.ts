import { ManualClock, seededRandom } from '../../src/clock.ts';
import { openTestServer, type TestServer } from '../../test/support/service.ts';
import { ReaderModel, type ReaderOptions, userId } from '../readers/reader-model.ts';

/** Runs made-up readers against the service over HTTP, with a clock that goes from page to page. */

export interface RunOptions extends ReaderOptions {
  pages: number;
  page_items: number;
  /** The scoring function of the saved feed. */
  scoring: string | { name: string; options: object };
  /** Plugin files, separated by commas. */
  plugins?: string;
  /** Called before each round of pages. */
  onRound?(page: number, running: Running): unknown;
}

export interface Running {
  readers: ReaderModel;
  server: TestServer;
  feed_id: string;
  time: number;
}

/** Of a part of a run. */
export interface Part {
  pages: number;
  /** Approving acts. */
  acts: number;
  /** The acts that were to be expected of these pages: without the luck of `acts`. */
  expected: number;
  /** The same of the best possible pages, for some of the pages. */
  best: number;
  best_pages: number;
}

const WINDOW_SECONDS = 60;
/** Pages at the same time. */
const ROUND = 20;
const BODY_RECORDS = 5_000;
const NETWORK = '/v2/community';

/** @returns the parts of a run, each a tenth of its pages */
export async function run(options: RunOptions): Promise<Part[]> {
  const { start, days, pages, page_items, scoring, plugins = '' } = options;
  const readers = new ReaderModel(options);
  const clock = new ManualClock(start);
  const settings = {
    derived_lag_ms: 50,
    exploration_percent: 5,
    learn_window_s: WINDOW_SECONDS,
    plugins,
    lag_ms: 0,
  };
  const server = await openTestServer({
    clock,
    settings,
    opening: { logs_shown: true, random: seededRandom(options.seed), monotonicMs: () => 1000 * clock.now() },
  });
  try {
    await send(server, 'items', readers.published(0, start));
    await send(server, 'follows', readers.follows());
    await send(server, 'interactions', readers.formerActs());
    const config = { scoring, return_metadata: false };
    const feed = { name: 'Tried', endpoint: 'feeds/for-you', config };
    const { data } = await sent(server, '/api/feed/config', feed);
    const parts: Part[] = [];
    const step = (days * 86_400) / (pages / ROUND);
    for (let page = 0, time = start; page < pages; page += ROUND, time += step) {
      clock.set(time);
      await send(server, 'items', readers.published(time - step, time));
      await options.onRound?.(page, { readers, server, feed_id: data.config_id, time });
      const at = Math.floor((10 * page) / pages);
      parts[at] ??= { pages: 0, acts: 0, expected: 0, best: 0, best_pages: 0 };
      await round(server, readers, data.config_id, page, time, page_items, parts[at]);
    }
    return parts;
  } finally {
    await server.close();
  }
}

async function round(
  server: TestServer,
  readers: ReaderModel,
  feed_id: string,
  first: number,
  time: number,
  page_items: number,
  part: Part,
): Promise<void> {
  const visitors = Array.from({ length: ROUND }, (_, at) => readers.visitor(first + at));
  part.best += readers.best(visitors[0], page_items, time);
  part.best_pages++;
  const request = { feed_id, top_k: page_items, impression_count: page_items };
  const answers = await Promise.all(
    visitors.map((reader) =>
      sent(server, `${NETWORK}/feeds/for-you`, { ...request, user_id: userId(reader) }),
    ),
  );
  const readings = answers.map(({ body }, at) =>
    readers.read(
      visitors[at],
      body.map(({ item_id }: { item_id: string }) => item_id),
      time,
    ),
  );
  const acts = readings.flatMap((reading) => reading.acts);
  part.pages += ROUND;
  part.acts += acts.filter(({ event_type }) => event_type !== 'hide').length;
  part.expected += readings.reduce((sum, { expected }) => sum + expected, 0);
  server.clock.set(Math.max(time, ...acts.map(({ timestamp }) => timestamp)));
  await send(server, 'interactions', acts);
}

async function send(server: TestServer, kind: string, records: Iterable<object>): Promise<void> {
  const all = [...records];
  for (let at = 0; at < all.length; at += BODY_RECORDS) {
    const { rejected } = await sent(server, `${NETWORK}/${kind}`, all.slice(at, at + BODY_RECORDS));
    if (rejected.length > 0) throw new Error(`a record was refused: ${JSON.stringify(rejected[0])}`);
  }
}

async function sent(server: TestServer, path: string, body: object) {
  const answer = await server.post(path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
